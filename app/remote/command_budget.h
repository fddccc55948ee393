// What a command keeps of another host.
//
// Less than the window: `list` and `diagnose` hold each socket once more while they write. What an agent invents takes
// less than 300 MB in all.
#pragma once

#include "core/session/session_budget.h"

namespace tcpscope {

[[nodiscard]] inline SessionBudget commandBudgetOfHost(const SessionBudget& budget) {
  constexpr std::size_t kSockets = 100'000;
  constexpr std::size_t kConnectionBytes = 80U << 20;
  SessionBudget smaller = forUntrustedPlace(budget);
  smaller.sockets = std::min(smaller.sockets, kSockets);
  smaller.connectionBytes = std::min(smaller.connectionBytes, kConnectionBytes);
  return smaller;
}

}  // namespace tcpscope
