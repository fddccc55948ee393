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
  void pass(Nanoseconds time, Nanoseconds waiting) {
    m_now = m_now + time;
    m_waited += waiting;
  }

  /// Over a time that ends now.
  [[nodiscard]] ProgramWaits waited(Nanoseconds over, Nanoseconds forProcessor) const {
    return {m_now - over, m_now, forProcessor};
  }

  Moment m_now;
  Nanoseconds m_waited{0};
  std::size_t m_threads = 1;
  bool m_ended = false;
  int m_reads = 0;
  ProgramWatch m_watch{[this](std::uint32_t pid) { return read(pid); }};
};

TEST_F(ProgramWatchTest, ReportsWhatWasWaitedForSinceTheProgramWasWatched) {
  m_watch.watch(42);
  pass(2s, 500ms);
  EXPECT_EQ(m_watch.waitsOf(42), waited(2s, 500ms));
  pass(5s, 1s);
  EXPECT_EQ(m_watch.waitsOf(42), waited(5s, 1s)) << "since the last question";
}

TEST_F(ProgramWatchTest, KnowsNothingAtTheFirstQuestion) {
  EXPECT_FALSE(m_watch.waitsOf(42));
  pass(2s, 500ms);
  EXPECT_TRUE(m_watch.waitsOf(42));
}

TEST_F(ProgramWatchTest, LetsATimeGoOnThatIsTooShort) {
  m_watch.watch(42);
  pass(100ms, 100ms);
  EXPECT_FALSE(m_watch.waitsOf(42));
  pass(900ms, 0ms);
  EXPECT_EQ(m_watch.waitsOf(42), waited(1s, 100ms));
}

TEST_F(ProgramWatchTest, ForgetsAProgramThatEnded) {
  m_watch.watch(42);
  pass(2s, 500ms);
  m_ended = true;
  EXPECT_FALSE(m_watch.waitsOf(42));
  m_ended = false;
  pass(2s, 500ms);
  EXPECT_FALSE(m_watch.waitsOf(42)) << "it may be another one";
}

TEST_F(ProgramWatchTest, LeavesOutProgramsOfVeryManyThreads) {
  m_threads = 1000;
  m_watch.watch(42);
  pass(2s, 500ms);
  EXPECT_FALSE(m_watch.waitsOf(42));
}

TEST_F(ProgramWatchTest, WatchesABoundedNumber) {
  for (std::int32_t pid = 1; pid <= 1000; ++pid) m_watch.watch(pid);
  EXPECT_LT(m_reads, 300);
  // One that is asked about finds room.
  EXPECT_FALSE(m_watch.waitsOf(5000));
  pass(2s, 500ms);
  EXPECT_TRUE(m_watch.waitsOf(5000));
}

}  // namespace
}  // namespace tcpscope
