// The report of a change: what it would do, which changes there are, what a revert did. Every transport carries this
// type; the JSON documents (core/present/json/change_document.h, tune_document.h) are its form on the wire.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/changes/change_record.h"
#include "core/changes/change_request.h"
#include "core/changes/obsolete_setting.h"
#include "core/changes/setting_rule.h"
#include "core/host/sysctl_sources.h"

namespace tcpscope {

enum class PreviewVerdict : std::uint8_t {
  changes,
  /// The setting has this value.
  same,
  /// The value or the key is not allowed: see `refusal`.
  refused,
  /// Not in this kernel or network namespace.
  missing,
};
std::string_view name(PreviewVerdict verdict);

/// Files are only reported in the initial network namespace, where they take effect.
struct SettingPreview {
  std::string key;
  /// Absent if it cannot be read.
  std::optional<std::string> now;
  std::string wanted;
  PreviewVerdict verdict = PreviewVerdict::changes;
  std::optional<SettingRefusal> refusal{};
  /// Why the setting is obsolete, whether it is allowed or not.
  std::optional<ObsoleteReason> obsolete{};
  /// The line of a file that sets it at boot, and the files that would override a drop-in of tcpscope.
  std::optional<SysctlSource> setBy{};
  SysctlOverride overriddenBy{};
  /// Read from the wire: sentence and notes as the host worded them. Empty where they follow from the fields above.
  std::string text{};
  std::vector<std::string> notes{};
};

enum class RestoreOutcome : std::uint8_t {
  restored,
  /// The setting already had its original value.
  wasOriginal,
  /// Another program changed it meanwhile; it keeps that value.
  leftAlone,
  /// A later change set it again and keeps its value; reverting that one restores this original.
  handedOn,
  failed,
};
std::string_view name(RestoreOutcome outcome);

struct RestoredSetting {
  std::string key;
  RestoreOutcome outcome = RestoreOutcome::restored;
  /// Current value; absent if unknown.
  std::optional<std::string> now;
  /// Of a failure.
  int errorNumber = 0;
  /// Read from the wire: the sentence as the host worded it.
  std::string text{};
};

struct RevertedChange {
  ChangeRecord record;
  std::vector<RestoredSetting> settings;
  /// The drop-in file was changed by another program or cannot be written: its values return at the next boot.
  bool fileLeftAlone = false;
};

/// One socket option as text, in the units of the document.
struct ReportedOption {
  std::string name;
  std::optional<std::string> value;
  /// Before tcpscope changed it.
  std::optional<std::string> original;
  std::string text;
  /// The value as people read it; empty where it is not known.
  std::string valueText{};
  /// "the program", "the kernel"; empty where it is not known.
  std::string setBy{};
};

struct ReportedOptionChange {
  std::string name;
  std::optional<std::string> before;
  std::optional<std::string> wanted;
  std::optional<std::string> after;
};

struct ChangeReport {
  enum class Content : std::uint8_t {
    /// `previews`.
    preview,
    /// `changes`: those that were listed, or the one that was applied or confirmed; none if all of it was set already.
    changes,
    /// `changes` with the reverted one, `restored` and `fileLeftAlone`.
    revert,
    /// `options`, `optionChanges`, `notes` and `leftAlone`.
    options,
  };

  static ChangeReport of(std::vector<SettingPreview> previews, WallTime time);
  static ChangeReport of(std::vector<ChangeRecord> changes, WallTime time);
  static ChangeReport of(RevertedChange reverted, WallTime time);

  Content content = Content::changes;
  /// By the clock of the host; absent if the document does not have it.
  std::optional<WallTime> time{};
  std::vector<SettingPreview> previews{};
  std::vector<ChangeRecord> changes{};
  std::vector<RestoredSetting> restored{};
  bool fileLeftAlone = false;
  std::vector<ReportedOption> options{};
  std::vector<ReportedOptionChange> optionChanges{};
  std::vector<std::string> notes{};
  /// Why options kept the value that another program set.
  std::vector<std::string> leftAlone{};
  /// Of socket options on trial: the time left.
  std::optional<Milliseconds> revertsIn{};

  /// At least one setting would change and none is refused.
  [[nodiscard]] bool canApply() const;
  /// A revert that did not set everything back.
  [[nodiscard]] bool isPartial() const;
};

}  // namespace tcpscope
