// Looks of a host that has only ss, as lines come.
#include "collectors/ss/ss_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kGreeting =
    "Welcome to db1\n"
    "tcpscope-ss 1\nhost db1\nkernel 6.1.0-13-amd64\nboot 1f7cbb31-87f5-4a7b-a969-279730691890\n"
    "netns net:[4026531840]\nss ss utility, iproute2-6.1.0\nclock 100.50 1700000000\n";

std::string socketLine(int cookie, int window = 10) {
  return "ESTAB 0 0 192.0.2.1:443 198.51.100.2:" + std::to_string(50'000 + cookie) +
         " ino:1 sk:" + std::to_string(cookie) +
         " skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0,d0) cubic cwnd:" + std::to_string(window) + "\n";
}

std::string poll(const std::string& sockets, const std::string& begin = "101.00", const std::string& end = "0 101.02") {
  return "look " + begin + "\nState Recv-Q Send-Q Local Address:Port Peer Address:Port\n" + sockets + "end " + end +
         "\n";
}

/// Of the clock here.
Moment at(Milliseconds sinceStart) {
  return Moment() + sinceStart;
}

class SsReaderTest : public testing::Test {
protected:
  void say(std::string_view text, Moment heardAt = Moment()) { m_reader.feed(std::as_bytes(std::span(text)), heardAt); }
  /// Everything reported since the last call, in one batch.
  ObservationBatch reported() {
    ObservationBatch all;
    while (const auto value = m_reader.next()) {
      const auto* batch = std::get_if<ObservationBatch>(&*value);
      if (batch == nullptr) continue;
      all.changed.insert(all.changed.end(), batch->changed.begin(), batch->changed.end());
      all.closed.insert(all.closed.end(), batch->closed.begin(), batch->closed.end());
      all.gaps.insert(all.gaps.end(), batch->gaps.begin(), batch->gaps.end());
      all.unchanged += batch->unchanged;
      if (batch->dumpEndedAt) all.dumpEndedAt = batch->dumpEndedAt;
    }
    return all;
  }

  SsReader m_reader{PlaceId{3}};
};

TEST_F(SsReaderTest, StartsWithAHello) {
  say(kGreeting);
  const auto value = m_reader.next();
  ASSERT_TRUE(value);
  const auto* hello = std::get_if<TraceHello>(&*value);
  ASSERT_NE(hello, nullptr);
  EXPECT_EQ(hello->place.host.rawBytes(), "db1 (through ss)") << "wherever it is named";
  EXPECT_EQ(hello->place.kernel.rawBytes(), "6.1.0-13-amd64");
  EXPECT_EQ(hello->place.bootId, "1f7cbb31-87f5-4a7b-a969-279730691890");
  EXPECT_EQ(hello->place.networkNamespace, "4026531840");
  EXPECT_EQ(hello->clock.monotonic, Moment::fromNanoseconds(100'500'000'000));
  EXPECT_EQ(hello->clock.wall.nanoseconds(), 1'700'000'000'000'000'000);
  EXPECT_TRUE(hello->can(AgentCapability::list));
  EXPECT_FALSE(hello->can(AgentCapability::focus) || hello->can(AgentCapability::owners));
}

TEST_F(SsReaderTest, ReportsASocketOnceUntilItChanges) {
  say(kGreeting, at(100'500ms));
  say(poll(socketLine(1) + socketLine(2)), at(101'020ms));
  const ObservationBatch first = reported();
  ASSERT_THAT(first.changed, SizeIs(2));
  EXPECT_EQ(first.changed[0].id, (ConnectionId{PlaceId{3}, 1}));
  EXPECT_EQ(first.changed[0].takenAt, at(101'000ms));
  EXPECT_EQ(first.dumpEndedAt, at(101'020ms));
  EXPECT_THAT(first.gaps, IsEmpty()) << "the titles of the columns are none";
  say(poll(socketLine(1) + socketLine(2, 11), "102.00", "0 102.01"), at(102'010ms));
  const ObservationBatch second = reported();
  ASSERT_THAT(second.changed, SizeIs(1));
  EXPECT_EQ(second.changed[0].info.sndCwnd(), Segments(11));
  EXPECT_EQ(second.changed[0].unchangedUntil, at(101'000ms));
  EXPECT_EQ(second.unchanged, 1U);
}

TEST_F(SsReaderTest, MovesEveryMomentToTheClockHere) {
  say(kGreeting, at(5'500ms));
  say(poll(socketLine(1)), at(6'030ms));
  EXPECT_EQ(reported().changed.at(0).takenAt, at(6'000ms));
}

TEST_F(SsReaderTest, DatesNothingLaterThanItWasHeard) {
  // The hello came 90 ms late, behind what a shell prints at login; the first sample takes 10 ms, the next one
  // 60 ms.
  say(kGreeting, at(5'590ms));
  say(poll(socketLine(1)), at(6'030ms));
  const ObservationBatch first = reported();
  EXPECT_EQ(first.changed.at(0).takenAt, at(6'030ms)) << "by the hello, 6,090 ms";
  EXPECT_EQ(first.dumpEndedAt, at(6'030ms));
  say(poll(socketLine(1, 11), "102.00", "0 102.01"), at(7'070ms));
  const ObservationBatch second = reported();
  EXPECT_EQ(second.changed.at(0).takenAt, at(7'010ms)) << "10 ms after it was taken, as the sample that was fastest";
  EXPECT_EQ(second.dumpEndedAt, at(7'020ms));
}

TEST_F(SsReaderTest, AHostThatSleptIsNotInTheFuture) {
  say(kGreeting, at(5'500ms));
  say(poll(socketLine(1)), at(6'030ms));
  reported();
  say(poll(socketLine(1, 11), "3702.00", "0 3702.01"), at(7'020ms));
  EXPECT_EQ(reported().changed.at(0).takenAt, at(7'020ms)) << "its uptime went on while it slept for an hour";
}

TEST_F(SsReaderTest, ASocketIsGoneWhenTwoSamplesDidNotShowIt) {
  say(kGreeting + poll(socketLine(1) + socketLine(2)));
  reported();
  say(poll(socketLine(2), "102.00"));
  EXPECT_THAT(reported().closed, IsEmpty()) << "one sample may have missed it";
  say(poll(socketLine(2), "103.00"));
  const ObservationBatch last = reported();
  ASSERT_THAT(last.closed, SizeIs(1));
  EXPECT_EQ(last.closed[0].id.cookie, 1U);
}

TEST_F(SsReaderTest, AFailedSampleEndsNoSocket) {
  say(kGreeting + poll(socketLine(1)));
  reported();
  for (int i = 0; i < 3; ++i) say(poll("", "102.00", "1 102.01"));
  const ObservationBatch batch = reported();
  EXPECT_THAT(batch.closed, IsEmpty());
  ASSERT_THAT(batch.gaps, testing::Not(IsEmpty()));
  EXPECT_EQ(batch.gaps[0].kind, GapKind::requestRefused);
}

TEST_F(SsReaderTest, ReadsSocketsInTwoLines) {
  say(kGreeting + poll("ESTAB 0 0 192.0.2.1:443 198.51.100.2:50000 ino:1 sk:1\n\t skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0) "
                       "cubic cwnd:12\n" +
                       socketLine(2)));
  const ObservationBatch batch = reported();
  ASSERT_THAT(batch.changed, SizeIs(2));
  EXPECT_EQ(batch.changed[0].info.sndCwnd(), Segments(12));
}

TEST_F(SsReaderTest, ChunksOfAnySizeSayTheSame) {
  const std::string all = kGreeting + poll(socketLine(1) + socketLine(2));
  for (const char letter : all) say(std::string_view(&letter, 1));
  EXPECT_THAT(reported().changed, SizeIs(2));
}

TEST_F(SsReaderTest, AnyOtherLineIsAGap) {
  say(kGreeting + poll("GARBAGE here\n" + socketLine(1) + "ESTAB 0 0 nowhere\n" + socketLine(1)));
  const ObservationBatch batch = reported();
  EXPECT_THAT(batch.changed, SizeIs(1));
  ASSERT_THAT(batch.gaps, SizeIs(2));
  EXPECT_EQ(batch.gaps[0].kind, GapKind::malformedMessage);
  EXPECT_EQ(batch.gaps[0].count, 2U);
  EXPECT_EQ(batch.gaps[1].kind, GapKind::repeatedSocket);
}

TEST_F(SsReaderTest, ALineWithoutEndTakesNoMemoryAndCostsOnlyItself) {
  say(kGreeting + "look 101.00\n");
  for (int i = 0; i < 1000; ++i) say(std::string(1024, 'x'));
  say("\n" + socketLine(1) + "end 0 101.02\n");
  const ObservationBatch batch = reported();
  EXPECT_THAT(batch.changed, SizeIs(1));
  ASSERT_THAT(batch.gaps, SizeIs(1));
  EXPECT_EQ(batch.gaps[0].count, 1U);
}

TEST_F(SsReaderTest, OutputWithoutAGreetingIsRefused) {
  say(std::string(70'000, '\n'));
  const auto value = m_reader.next();
  ASSERT_TRUE(value);
  EXPECT_FALSE(std::holds_alternative<TraceHello>(*value));
}

TEST_F(SsReaderTest, AMalformedSampleEndsLikeAnyOther) {
  say(kGreeting + "look never\n" + socketLine(1) + "end 0 never\n");
  EXPECT_EQ(m_reader.pollsEnded(), 1U) << "otherwise no further sample would be requested";
  say(poll(socketLine(1)));
  EXPECT_THAT(reported().changed, SizeIs(1));
}

}  // namespace
}  // namespace tcpscope
