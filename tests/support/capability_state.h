// One capability out of a report.
#pragma once

#include <gtest/gtest.h>

#include "core/host/capability.h"

namespace tcpscope::test {

/// Fails the test where the report does not have it.
inline CapabilityState stateOf(const CapabilityReport& report, Capability capability) {
  for (const CapabilityState& state : report) {
    if (state.capability == capability) return state;
  }
  ADD_FAILURE() << "not in the report";
  return {};
}

}  // namespace tcpscope::test
