#include "collectors/probe/capability_probe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "collectors/sock_diag/netlink_socket.h"
#include "core/present/text/host_text.h"
#include "tests/support/capability_state.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/scripted_channel.h"

namespace tcpscope {
namespace {

using test::stateOf;

TEST(CapabilityProbe, ReportsWhatThisMachineShowsOfSockets) {
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const CapabilityReport report = probeCapabilities(ownSockDiagAccess());

  ASSERT_EQ(report.size(), kWatchCapabilityCount);
  EXPECT_EQ(stateOf(report, Capability::socketDump).status, CapabilityStatus::works);
  EXPECT_EQ(stateOf(report, Capability::exactRequest).status, CapabilityStatus::works);
  EXPECT_EQ(stateOf(report, Capability::socketMemory).status, CapabilityStatus::works);
  EXPECT_GE(stateOf(report, Capability::tcpInfo).amount, 232U);
}

TEST(CapabilityProbe, ARefusedDumpIsMissingAndHasItsCommand) {
  test::ScriptedPlace place;
  place.script->push_back({test::kernelError(ENOENT)});
  place.script->push_back({test::kernelError(ENOENT)});
  const CapabilityReport report = probeCapabilities(place.access());

  const CapabilityState dump = stateOf(report, Capability::socketDump);
  EXPECT_EQ(dump.status, CapabilityStatus::missing);
  EXPECT_EQ(remedyCommand(dump), "sudo modprobe tcp_diag");
  EXPECT_EQ(stateOf(report, Capability::exactRequest).status, CapabilityStatus::notTried);
  const CapabilityState events = stateOf(report, Capability::destroyEvents);
  EXPECT_EQ(events.status, CapabilityStatus::missing);
  EXPECT_EQ(events.reason, geteuid() == 0 ? CapabilityReason::forbiddenByPolicy : CapabilityReason::notPermitted);
}

TEST(CapabilityProbe, AnOlderKernelIsSaidWithItsBytes) {
  test::ScriptedPlace place;
  test::DiagPayload payload;
  payload.attribute(INET_DIAG_INFO, test::MessageBytes(104));
  place.script->push_back({test::socketMessage(payload), test::endOfDump()});
  const CapabilityState info = stateOf(probeCapabilities(place.access()), Capability::tcpInfo);

  EXPECT_EQ(info.status, CapabilityStatus::limited);
  EXPECT_EQ(sentence(info),
            "TCP_INFO fields of a connection: works partly (104 bytes of TCP_INFO), because the kernel is too old for "
            "the newest variables");
}

}  // namespace
}  // namespace tcpscope
