// A host that is polled by a command, which must end whatever the host does.
#include <gtest/gtest.h>

#include <cerrno>

#include "app/remote/polled_agent.h"
#include "collectors/trace/trace_writer.h"
#include "tests/support/many_sockets.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

TEST(PolledAgentTest, AnAgentThatGreetsAndStallsIsGivenUp) {
  const test::PretendedSsh ssh;
  std::vector<std::byte> hello;
  TraceWriter(hello).write(test::exampleHello());
  ssh.says(hello);
  SessionControl control;
  control.listInterval = 1ms;
  const auto agent = PolledAgent::reach("db1", AgentMeans::installed, control, {}, 1ms);
  ASSERT_TRUE(agent);
  const auto heard =
      (*agent)->hear({-1, [] { return false; }}, [](const ObservationBatch& batch) { return !!batch.dumpEndedAt; });
  ASSERT_FALSE(heard);
  EXPECT_EQ(heard.error().attempt, SystemAttempt::reachAgent);
  EXPECT_EQ(heard.error().errorNumber, ETIMEDOUT);
  EXPECT_EQ(heard.error().object, UntrustedText("db1"));
}

TEST(PolledAgentTest, EndsWithTheDumpThoughTheAgentSaysNothingMore) {
  const test::PretendedSsh ssh;
  ssh.says(test::manySocketsOfAgent(3));
  // Without an end of its own it would wait for so long, and the test time out.
  const auto agent = PolledAgent::reach("db1", AgentMeans::installed, {}, {}, 24h);
  ASSERT_TRUE(agent);
  const auto heard =
      (*agent)->hear({-1, [] { return false; }}, [](const ObservationBatch& batch) { return !!batch.dumpEndedAt; });
  EXPECT_TRUE(heard);
  EXPECT_EQ((*agent)->session().tick(Moment())->totalRows, 3U);
}

TEST(PolledAgentTest, WhatTheHostSaysOnStandardErrorDoesNotReachTheTerminal) {
  const test::PretendedSsh ssh;
  ssh.fails("\x1b[31mPermission denied", 255);
  testing::internal::CaptureStderr();
  const auto agent = PolledAgent::reach("db1", AgentMeans::installed, {}, {});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().errorNumber, EACCES);
}

}  // namespace
}  // namespace tcpscope
