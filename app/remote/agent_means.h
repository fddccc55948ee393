// How another host is looked at. What needs more than what is installed there happens only where a person asked for it.
#pragma once

#include <cstdint>

#include "core/base/system_error.h"

namespace tcpscope {

enum class AgentMeans : std::uint8_t {
  /// By the tcpscope-cli that is installed there.
  installed,
  /// By the `ss` there: one sample a second at most, and less is known (collectors/ss).
  throughSs,
  /// By a copy of the tcpscope-cli of this host, which goes when the connection ends (agent_copy.h).
  copied
};

/// The attempt that failure messages name.
constexpr SystemAttempt attemptOf(AgentMeans means) {
  switch (means) {
    case AgentMeans::installed:
      break;
    case AgentMeans::throughSs:
      return SystemAttempt::pollWithSs;
    case AgentMeans::copied:
      return SystemAttempt::copyAgent;
  }
  return SystemAttempt::reachAgent;
}

}  // namespace tcpscope
