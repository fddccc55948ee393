// Why a change of sysctls was refused, failed, or has an unknown outcome: one type for the executor and every
// transport. The sentence is made in core/present/text/change_text.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/untrusted_text.h"
#include "core/changes/setting_rule.h"

namespace tcpscope {

enum class ChangeErrorKind : std::uint8_t {
  // The executor.
  refusedSetting,
  /// Not in this kernel or network namespace.
  noSuchSetting,
  missingRight,
  /// The value is not the expected one.
  changedMeanwhile,
  /// The kernel set another value; the originals are set again.
  notTaken,
  writeFailed,
  /// An earlier change was interrupted and has to be reverted first.
  unfinishedChange,
  noSuchChange,
  /// Confirming a confirmed change, reverting a reverted one.
  wrongState,
  /// The change belongs to another network namespace.
  otherNamespace,
  /// Only the initial network namespace exists again after a boot.
  cannotPersistHere,
  /// Another program changed the drop-in file.
  persistedFileChanged,
  persistFailed,
  journalFailed,
  /// A revert set the originals of all that no other change covers, and could not record it; reverting again does.
  journalNotUpdated,
  journalDamaged,
  /// Another process sets a change and its originals in turn.
  comparisonRunning,
  timerFailed,

  // Transports.
  /// Polkit, or the user whom it asked, did not authorize it; nothing was changed.
  denied,
  /// tcpscope-helper is not installed, or cannot be started or reached; `object` is the error of the bus.
  helperNotAvailable,
  /// The far end refused or failed; `object` is its sentence.
  reported,
  /// The far end ended well and its output is no change document.
  unreadableReport,

  // Transport to another host; `object` is its address, and nothing was changed unless `isOutcomeUnknown`.
  /// ssh failed before the command started: see `errorNumber`.
  unreachable,
  sudoAsks,
  sudoRefuses,
  /// Neither root nor sudo.
  noSudo,
  /// Another boot or another network namespace than the previewed one.
  otherPlace,
  /// No longer in the list of hosts under this address.
  left,
  notConnected,
  /// The command may have run; its report was lost.
  reportLost,
  /// The journal of the host has no such change that is active.
  notActive,
  /// The journal of the host does not show the outcome of the change.
  outcomeNotReported,
};

struct ChangeError {
  ChangeErrorKind kind = ChangeErrorKind::writeFailed;
  /// 0 if there is none.
  int errorNumber = 0;
  /// The key, change, file or host; see the kinds.
  UntrustedText object{};
  std::optional<SettingRefusal> refusal{};
  /// All, some or none of it may have been done.
  bool isOutcomeUnknown = false;
  /// A command to run by hand instead; empty if none helps.
  std::vector<std::string> manualCommand{};
};

}  // namespace tcpscope
