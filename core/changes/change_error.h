// Why a change of a host was not made, kept or undone. The sentence is made in core/text/change_text.h.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/untrusted_text.h"
#include "core/changes/setting_rule.h"

namespace tcpscope {

enum class ChangeErrorKind : std::uint8_t {
  refusedSetting,
  /// This kernel, or this network namespace, does not have the key.
  noSuchSetting,
  missingRight,
  /// Not what it was when it was looked at.
  changedMeanwhile,
  /// The kernel made something else of it; everything was put back.
  notTaken,
  writeFailed,
  /// An earlier change was interrupted and has to be undone first.
  unfinishedChange,
  noSuchChange,
  /// Confirm what is confirmed, revert what is reverted.
  wrongState,
  /// The change belongs to another network namespace.
  otherNamespace,
  /// Only the host's own namespace comes back after a boot.
  cannotPersistHere,
  /// Somebody else changed the file that keeps settings for the next boot.
  persistedFileChanged,
  persistFailed,
  journalFailed,
  journalDamaged,
  timerFailed,
};

struct ChangeError {
  ChangeErrorKind kind = ChangeErrorKind::writeFailed;
  /// 0 where there is none.
  int errorNumber = 0;
  /// The key, the change or the file.
  UntrustedText object;
  std::optional<SettingRefusal> refusal{};
};

}  // namespace tcpscope
