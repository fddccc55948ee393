// What a change would do, and what undoing one did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/changes/change_record.h"
#include "core/changes/obsolete_setting.h"
#include "core/changes/setting_rule.h"
#include "core/host/sysctl_sources.h"

namespace tcpscope {

enum class PreviewVerdict : std::uint8_t {
  changes,
  /// Set already.
  same,
  /// The value, or the key, is not let through: see `refusal`.
  refused,
  /// Neither this kernel nor this network namespace has it.
  missing,
};
std::string_view name(PreviewVerdict verdict);

/// Files are told where they count: in the host's own network namespace.
struct SettingPreview {
  std::string key;
  /// Absent where it cannot be read.
  std::optional<std::string> now;
  std::string wanted;
  PreviewVerdict verdict = PreviewVerdict::changes;
  std::optional<SettingRefusal> refusal{};
  /// Why nobody should set it so, whether it is let through or not.
  std::optional<ObsoleteReason> obsolete{};
  /// The line of a file that sets it at boot, and what would come after a line of ours.
  std::optional<SysctlSource> setBy{};
  SysctlOverride overriddenBy{};
};

enum class RestoreOutcome : std::uint8_t {
  restored,
  /// It had its original value.
  wasOriginal,
  /// Somebody else changed it since.
  leftAlone,
  /// The network namespace went with its boot, and its settings with it.
  gone,
  failed,
};
std::string_view name(RestoreOutcome outcome);

struct RestoredSetting {
  std::string key;
  RestoreOutcome outcome = RestoreOutcome::restored;
  /// What it is set to now; absent where that is not known.
  std::optional<std::string> now;
  /// Where it failed.
  int errorNumber = 0;
};

struct RevertedChange {
  ChangeRecord record;
  std::vector<RestoredSetting> settings;
  /// Somebody else changed the file for the next boot: what it says about the settings comes back then.
  bool fileLeftAlone = false;
};

}  // namespace tcpscope
