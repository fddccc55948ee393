#include "collectors/probe/control_probe.h"

#include <gtest/gtest.h>

#include "core/present/text/host_text.h"

namespace tcpscope {
namespace {

LoadedControls statesOf(ControlHolder first, ControlHolder others) {
  LoadedControls states;
  for (LoadedControl& state : states) state.holder = others;
  states.front().holder = first;
  return states;
}

constexpr auto kNone = ControlHolder::none;
const Expected<void, ControlFailure> kRefused = Unexpected<ControlFailure>(ControlFailure::notPermitted);

TEST(ControlProbe, SaysWhetherTheyAreLoadedOrCanBe) {
  const CapabilityState can = controlCapability(statesOf(kNone, kNone), {}, true);
  EXPECT_EQ(can.status, CapabilityStatus::works);
  EXPECT_EQ(explanation(can), "can be loaded");
  const CapabilityState are = controlCapability(statesOf(ControlHolder::pin, ControlHolder::pin), kRefused, false);
  EXPECT_EQ(are.status, CapabilityStatus::works);
  EXPECT_EQ(explanation(are), "loaded");
}

TEST(ControlProbe, WithoutRightsNamesTheCommand) {
  const CapabilityState state = controlCapability(statesOf(kNone, kNone), kRefused, false);
  EXPECT_EQ(state.status, CapabilityStatus::missing);
  EXPECT_EQ(state.reason, CapabilityReason::notPermitted);
  EXPECT_EQ(remedyCommand(state), "sudo tcpscope-cli lab congestion-controls load");
}

TEST(ControlProbe, WhatRootMayNotIsForbidden) {
  const CapabilityState state = controlCapability(statesOf(kNone, kNone), kRefused, true);
  EXPECT_EQ(state.reason, CapabilityReason::forbiddenByPolicy);
  EXPECT_EQ(remedyCommand(state), "");
}

TEST(ControlProbe, AnOlderKernelAndABuildWithoutThemSaySo) {
  const auto reasonOf = [](ControlFailure failure) {
    return controlCapability(statesOf(kNone, kNone), Unexpected<ControlFailure>(failure), true).reason;
  };
  EXPECT_EQ(reasonOf(ControlFailure::notSupported), CapabilityReason::notSupported);
  EXPECT_EQ(reasonOf(ControlFailure::notBuilt), CapabilityReason::notBuilt);
  EXPECT_EQ(reasonOf(ControlFailure::failed), CapabilityReason::failed);
}

}  // namespace
}  // namespace tcpscope
