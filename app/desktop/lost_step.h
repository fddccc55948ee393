// The outcome of a step whose report was lost, from the journal of the place or the current socket options.
#pragma once

#include "core/changes/change_report.h"
#include "ui/feed/change_port.h"

namespace tcpscope {

struct LostStep {
  /// changing, keeping, undoing; inForce if only the poll after the trial was lost.
  HostChangePhase step = HostChangePhase::changing;
  /// 0 if the lost report would have contained it.
  std::uint32_t change = 0;
  std::string bootId;
  /// As previewed.
  std::vector<HostChangeRow> previewed;
};

struct StepOutcome {
  /// inForce, kept or undone; previewed if no such change is active; unknown if the journal does not show it.
  HostChangePhase phase = HostChangePhase::unknown;
  /// 0 if there is none.
  std::uint32_t change = 0;
  /// Of a change on trial: since it was applied, by the clock of its host.
  std::optional<Milliseconds> age;
  /// Of socket options on trial: the time left.
  std::optional<Milliseconds> left{};
};

/// From a list of the journal. A change whose id is unknown is the newest one on trial with the previewed values: to
/// confirm or to revert that one has the same effect.
StepOutcome outcomeIn(const ChangeReport& journal, const LostStep& lost);
/// Socket options: on trial while there is time left, otherwise kept if they can be reverted.
StepOutcome outcomeOfOptions(bool canRevert, const std::optional<Milliseconds>& left, const LostStep& lost);

}  // namespace tcpscope
