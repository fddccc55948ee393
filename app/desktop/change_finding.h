// What became of a step of a change whose answer was lost, as far as the place tells afterwards.
#pragma once

#include "app/desktop/change_answer.h"

namespace tcpscope {

struct LostStep {
  /// changing, keeping, undoing; inForce where only the look after its time was lost.
  HostChangePhase step = HostChangePhase::changing;
  /// 0 where the answer would have told it.
  std::uint32_t change = 0;
  std::string bootId;
  /// As they were shown before the change.
  std::vector<HostChangeRow> shown;
};

struct ChangeFinding {
  /// inForce, kept or undone; previewed where no such change is in force; notKnown where it is not told.
  HostChangePhase phase = HostChangePhase::notKnown;
  /// 0 where there is none.
  std::uint32_t change = 0;
  /// Of a change that waits to be kept: since it was made.
  std::optional<Milliseconds> age;
};

/// Sysctls. The newest change that waits to be kept and changed what was shown is taken for the one whose number is not
/// known: to keep or to undo it does the same.
ChangeFinding findingIn(const std::vector<JournalledChange>& journal, const LostStep& lost);
/// Options of a socket, as readShown() gives them.
ChangeFinding findingIn(const ChangeAnswer& options, const LostStep& lost);

}  // namespace tcpscope
