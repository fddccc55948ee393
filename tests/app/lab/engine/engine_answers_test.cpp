#include "app/lab/engine/engine_answers.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace tcpscope::lab {
namespace {

LabError someError() {
  return {LabErrorKind::optionRefused, EPERM, UntrustedText("SO_RCVBUF")};
}

PathAnswer someAnswer() {
  PathAnswer answer;
  answer.lostEvents = Count{3};
  answer.report.deviceDrops = Count{2};
  answer.report.worstLateness = Milliseconds(7);
  answer.report.waitedForProcessor = Milliseconds(9);
  LinkCounters counters;
  counters.packetsIn = Count{10};
  answer.report.links = {{"path.forward", counters}, {"path.backward", {}}};
  return answer;
}

TEST(EngineAnswers, BringAnErrorOver) {
  const auto read = decodeLabError(encode(someError()).bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, LabErrorKind::optionRefused);
  EXPECT_EQ(read->errorNumber, EPERM);
  EXPECT_EQ(read->object, UntrustedText("SO_RCVBUF"));
}

TEST(EngineAnswers, BringOverWhatIsReady) {
  const auto read = decodeReady(encode(EngineReady{Moment::fromNanoseconds(5), {{"main", someError()}}}).bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->startedAt.nanoseconds(), 5);
  ASSERT_EQ(read->skipped.size(), 1U);
  EXPECT_EQ(read->skipped[0].traffic, "main");
  EXPECT_EQ(read->skipped[0].reason.errorNumber, EPERM);
}

TEST(EngineAnswers, BringThePathsReportOver) {
  const auto read = decodePathAnswer(encode(someAnswer()).bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->lostEvents, Count{3});
  EXPECT_EQ(read->report.deviceDrops, Count{2});
  EXPECT_EQ(read->report.worstLateness, Milliseconds(7));
  EXPECT_EQ(read->report.waitedForProcessor, Milliseconds(9));
  ASSERT_EQ(read->report.links.size(), 2U);
  EXPECT_EQ(read->report.links[0].name, "path.forward");
  EXPECT_EQ(read->report.links[0].counters.packetsIn, Count{10});
}

TEST(EngineAnswers, BringOverWhatToCapture) {
  LiveCaptureSettings settings;
  settings.interface = "lo";
  settings.filter = "tcp port 443";
  settings.snapLength = Bytes(96);
  const auto read = decodeCaptureQuestion(encode(CaptureQuestion{1, settings}).bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->host, 1U);
  EXPECT_EQ(read->settings.interface, "lo");
  EXPECT_EQ(read->settings.filter, "tcp port 443");
  EXPECT_EQ(read->settings.snapLength, Bytes(96));
}

TEST(EngineAnswers, BringOverWhyNothingIsCaptured) {
  const LiveCaptureError error{LiveCaptureErrorKind::badFilter, UntrustedText("port of call"), UntrustedText("syntax")};
  const auto read = decodeCaptureError(encode(error).bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, LiveCaptureErrorKind::badFilter);
  EXPECT_EQ(read->object, error.object);
  EXPECT_EQ(read->reason, error.reason);
}

TEST(EngineAnswers, AreNothingWhenCutAnywhere) {
  const std::string whole = encode(someAnswer()).bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(decodePathAnswer(whole.substr(0, length))) << length;
  }
}

TEST(EngineAnswers, AreNothingWhenOfAnotherKind) {
  EXPECT_FALSE(decodeReady(encode(someError()).bytes()));
  EXPECT_FALSE(decodeLabError(""));
}

}  // namespace
}  // namespace tcpscope::lab
