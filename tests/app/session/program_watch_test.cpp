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
  std::optional<ProgramWaits> waitsOf(std::int32_t pid) { return m_watch.waitsOf(pid, m_now); }
  void pass(Nanoseconds time, Nanoseconds waiting) {
    m_now = m_now + time;
    m_waited += waiting;
    m_processors[0].all += 100;
    m_processors[1].all += 100;
  }

  /// Over a time that ends now, in which the busiest processor had this share of softirq.
  [[nodiscard]] ProgramWaits waited(Nanoseconds over, Nanoseconds forProcessor, double softirqRatio = 0.0) const {
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
  EXPECT_EQ(waitsOf(42), waited(5s, 1s)) << "since the last question";
}

TEST_F(ProgramWatchTest, KnowsNothingAtTheFirstQuestion) {
  EXPECT_FALSE(waitsOf(42));
  pass(2s, 500ms);
  EXPECT_TRUE(waitsOf(42));
}

TEST_F(ProgramWatchTest, NamesTheShareOfTheProcessorThatDidMostOfThePackets) {
  m_watch.watch(42);
  pass(2s, 0ms);
  m_processors[0].softirq += 20;
  m_processors[1].softirq += 90;
  EXPECT_EQ(waitsOf(42), waited(2s, 0ms, 0.9));
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
  pass(2s, 500ms);
  EXPECT_FALSE(waitsOf(42));
}

TEST_F(ProgramWatchTest, WatchesABoundedNumber) {
  for (std::int32_t pid = 1; pid <= 1000; ++pid) m_watch.watch(pid);
  EXPECT_LT(m_reads, 300);
  // One that is asked about finds room.
  EXPECT_FALSE(waitsOf(5000));
  pass(2s, 500ms);
  EXPECT_TRUE(waitsOf(5000));
}

}  // namespace
}  // namespace tcpscope
