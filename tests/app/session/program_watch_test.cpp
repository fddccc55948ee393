#include "app/session/program_watch.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// Programs of one thread each, at a time that the test sets.
class ProgramWatchTest : public testing::Test {
protected:
  Reported<ProcessReading> read(std::uint32_t pid) {
    ++m_reads;
    if (m_ended) return unreported(UnknownReason::ended);
    ProcessReading reading;
    reading.at = m_now;
    reading.pid = pid;
    ThreadReading thread;
    thread.id = pid;
    thread.waitedForProcessor = m_waited;
    reading.threads.assign(m_threads, thread);
    return reading;
  }
  std::optional<ProgramWaits> waitsOf(std::int32_t pid, std::uint64_t connection = 1) {
    return m_watch.waitsOf(pid, {PlaceId{0}, connection}, m_now);
  }
  void pass(Nanoseconds time, Nanoseconds waiting) {
    m_now = m_now + time;
    m_waited += waiting;
    m_processors[0].all += 100;
    m_processors[1].all += 100;
  }

  /// Over a time that ends now, in which the busiest processor had this share of softirq.
  [[nodiscard]] ProgramWaits waited(Nanoseconds over, Nanoseconds forProcessor,
                                    std::optional<double> softirqRatio = {}) const {
    return {m_now - over, m_now, forProcessor, std::nullopt, softirqRatio};
  }

  Moment m_now;
  Nanoseconds m_waited{0};
  std::size_t m_threads = 1;
  bool m_ended = false;
  int m_reads = 0;
  ProcessorTimes m_processors{{0, {}}, {1, {}}};
  ProgramWatch m_watch{[this](std::uint32_t pid) { return read(pid); }, [this] { return m_processors; }};
};

TEST_F(ProgramWatchTest, ReportsWhatWasWaitedForSinceTheProgramWasWatched) {
  m_watch.watch(42);
  pass(2s, 500ms);
  EXPECT_EQ(waitsOf(42), waited(2s, 500ms));
  pass(5s, 1s);
  EXPECT_EQ(waitsOf(42), waited(5s, 1s, 0.0)) << "since the last question";
}

TEST_F(ProgramWatchTest, KnowsNothingAtTheFirstQuestion) {
  EXPECT_FALSE(waitsOf(42));
  pass(2s, 500ms);
  EXPECT_TRUE(waitsOf(42));
}

TEST_F(ProgramWatchTest, NamesTheShareOfTheProcessorThatDidMostOfThePackets) {
  m_watch.watch(42);
  pass(2s, 0ms);
  waitsOf(42);
  pass(2s, 0ms);
  m_processors[0].softirq += 20;
  m_processors[1].softirq += 90;
  EXPECT_EQ(waitsOf(42), waited(2s, 0ms, 0.9));
}

TEST_F(ProgramWatchTest, MeasuresProcessorsOverASecond) {
  m_watch.watch(42);
  pass(2s, 0ms);
  waitsOf(42);
  pass(200ms, 0ms);
  m_processors[1].softirq += 100;
  ASSERT_TRUE(waitsOf(42)) << "the program alone";
  pass(900ms, 0ms);
  const auto waits = waitsOf(42);
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->softirqRatio, 0.5);
}

TEST_F(ProgramWatchTest, GivesEachConnectionOfAProgramAllOfIt) {
  m_watch.watch(42);
  for (const std::uint64_t connection : {1U, 2U}) EXPECT_FALSE(waitsOf(42, connection));
  pass(1s, 500ms);
  EXPECT_EQ(waitsOf(42, 1)->forProcessor, 500ms);
  pass(100ms, 100ms);
  EXPECT_EQ(waitsOf(42, 2)->forProcessor, 500ms) << "sampled for the other one";
  pass(900ms, 500ms);
  const auto first = waitsOf(42, 1);
  const auto second = waitsOf(42, 2);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->until - first->from, 1s);
  EXPECT_EQ(*first, *second);
}

TEST_F(ProgramWatchTest, HandsOverTogetherWhatAConnectionWasNotAskedAbout) {
  m_watch.watch(42);
  pass(1s, 500ms);
  waitsOf(42, 1);
  pass(1s, 200ms);
  waitsOf(42, 1);
  EXPECT_EQ(waitsOf(42, 2), waited(2s, 700ms));
}

TEST_F(ProgramWatchTest, SamplesLessOftenTheMoreThreadsAreToBeRead) {
  m_threads = 200;
  m_watch.watch(42);
  pass(1s, 500ms);
  const int reads = m_reads;
  EXPECT_FALSE(waitsOf(42));
  EXPECT_EQ(m_reads, reads) << "and does not read";
  pass(1s, 500ms);
  EXPECT_EQ(waitsOf(42), waited(2s, 1s));
}

TEST_F(ProgramWatchTest, LetsATimeGoOnThatIsTooShort) {
  m_watch.watch(42);
  pass(100ms, 100ms);
  EXPECT_FALSE(waitsOf(42));
  pass(900ms, 0ms);
  EXPECT_EQ(waitsOf(42), waited(1s, 100ms));
}

TEST_F(ProgramWatchTest, ForgetsAProgramThatEnded) {
  m_watch.watch(42);
  pass(2s, 500ms);
  m_ended = true;
  EXPECT_FALSE(waitsOf(42));
  m_ended = false;
  pass(2s, 500ms);
  EXPECT_FALSE(waitsOf(42)) << "it may be another one";
}

TEST_F(ProgramWatchTest, LeavesOutProgramsOfVeryManyThreads) {
  m_threads = 1000;
  m_watch.watch(42);
  for (int second = 0; second < 20; ++second) {
    pass(1s, 500ms);
    EXPECT_FALSE(waitsOf(42));
  }
  EXPECT_EQ(m_reads, 1) << "and leaves them alone for a while";
}

TEST_F(ProgramWatchTest, WatchesABoundedNumber) {
  for (std::int32_t pid = 1; pid <= 1000; ++pid) m_watch.watch(pid);
  EXPECT_LT(m_reads, 300);
}

TEST_F(ProgramWatchTest, KeepsProgramsThatAreAskedAboutWhereMoreAreThanFit) {
  int answered = 0;
  for (int second = 0; second < 5; ++second) {
    pass(1s, 500ms);
    for (std::int32_t pid = 1; pid <= 300; ++pid) answered += waitsOf(pid, static_cast<std::uint64_t>(pid)) ? 1 : 0;
  }
  EXPECT_EQ(answered, 4 * 256);
}

TEST_F(ProgramWatchTest, GivesThePlaceOfOneThatNothingAsksAboutToAnother) {
  for (std::int32_t pid = 1; pid <= 1000; ++pid) m_watch.watch(pid);
  pass(31s, 0ms);
  EXPECT_FALSE(waitsOf(5000));
  pass(2s, 500ms);
  EXPECT_TRUE(waitsOf(5000));
}

}  // namespace
}  // namespace tcpscope
