// A window of the application's own protocol, and what must not be taken for one.
#include "core/diagnosis/evidence/application_window.h"

#include <gtest/gtest.h>

#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::Growth;
using test::ObservationBuilder;
using test::Situation;

constexpr std::uint32_t kMss = 1448;

/// 100 ms of a sender that gets `answers` small messages and sends on for each.
Growth answered(std::uint64_t acked, std::uint32_t answers) {
  Growth growth = test::busyStep(acked);
  growth.received = answers * 36;
  growth.segmentsIn = answers;
  return growth;
}

/// As much in flight as asked for, over an RTT of 80 ms.
void inFlight(ObservationBuilder& socket, std::uint32_t bytes) {
  socket.congestionWindow(4'000)
      .inFlight(bytes / kMss)
      .applicationLimited(true)
      .notSent(0)
      .peerWindow(16U << 20U)
      .rtt(milliseconds(80), milliseconds(80));
}

Situation window(std::uint32_t bytes, std::uint16_t port = 5001) {
  return Situation([&](ObservationBuilder& socket) {
    inFlight(socket, bytes);
    socket.remote("192.0.2.1", port);
  });
}

std::optional<ApplicationWindow> windowOf(const Situation& situation) {
  return applicationWindow(kernelEvidence(situation.socket(), situation.window(), Side::sending));
}

TEST(ApplicationWindow, IsWhatStaysInFlightWhileThePeerAnswers) {
  const Situation situation = window(512U << 10U).repeat(30, test::kStep, answered(655'360, 20));
  const auto found = windowOf(situation);
  ASSERT_TRUE(found);
  EXPECT_NEAR(static_cast<double>(found->size.value()), 512.0 * 1024.0, 1448.0);
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::applicationWindow);
}

TEST(ApplicationWindow, IsUnsureWhileTheRttStaysTheSame) {
  const auto found = windowOf(window(512U << 10U).repeat(30, test::kStep, answered(655'360, 20)));
  ASSERT_TRUE(found);
  EXPECT_LT(found->confidenceRatio, 0.8) << "a source of constant rate looks the same";
}

TEST(ApplicationWindow, IsSureWhereTheRttChangesAndTheFlightDoesNot) {
  const auto slower = [](ObservationBuilder& socket) { socket.rtt(milliseconds(120), milliseconds(80)); };
  const auto found = windowOf(window(512U << 10U)
                                  .repeat(15, test::kStep, answered(655'360, 20))
                                  .repeat(15, test::kStep, answered(436'900, 13), slower));
  ASSERT_TRUE(found);
  EXPECT_GE(found->confidenceRatio, 0.8);
}

TEST(ApplicationWindow, TwoMebibytesAtPort22AreThatOfSsh) {
  const auto found = windowOf(window(2'050'000, 22).repeat(30, test::kStep, answered(2'560'000, 26)));
  ASSERT_TRUE(found);
  EXPECT_GE(found->confidenceRatio, 0.8);
}

TEST(ApplicationWindow, IsNoneWhereThePeerSaysNothing) {
  const Situation situation = window(512U << 10U).repeat(30, test::kStep, answered(655'360, 0));
  EXPECT_FALSE(windowOf(situation)) << "a stream at a constant rate";
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowWriter);
}

TEST(ApplicationWindow, IsNoneWhereTheFlightFollowsTheRtt) {
  const auto slower = [](ObservationBuilder& socket) {
    inFlight(socket, 768U << 10U);
    socket.rtt(milliseconds(120), milliseconds(80));
  };
  const auto found = windowOf(window(512U << 10U)
                                  .repeat(15, test::kStep, answered(655'360, 20))
                                  .repeat(15, test::kStep, answered(655'360, 20), slower));
  EXPECT_FALSE(found && found->confidenceRatio >= 0.8) << "the source has a constant rate";
}

TEST(ApplicationWindow, IsNoneWhereTheProgramPauses) {
  Situation situation = window(512U << 10U);
  const auto nothing = [](ObservationBuilder& socket) { inFlight(socket, 0); };
  for (int pause = 0; pause < 15; ++pause) {
    situation.step(test::kStep, answered(655'360, 20)).step(test::kStep, answered(655'360, 20), nothing);
  }
  EXPECT_FALSE(windowOf(situation));
}

TEST(ApplicationWindow, IsNoneOfTheFewBytesOfARequest) {
  EXPECT_FALSE(windowOf(window(4'000).repeat(30, test::kStep, answered(5'000, 2))));
}

}  // namespace
}  // namespace tcpscope
