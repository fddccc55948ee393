// A watched host that stands still, and comes back.
#include "app/cli/host_silence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

class HostSilenceTest : public testing::Test {
protected:
  static Moment at(Nanoseconds sinceStart) { return Moment() + sinceStart; }
  static ClockPair clocks(Nanoseconds sinceStart) {
    return {at(sinceStart), WallTime::fromNanoseconds(1'700'000'000'000'000'000) + sinceStart};
  }

  HostSilence m_silence{"db1", Milliseconds(1000), clocks(0s)};
};

TEST_F(HostSilenceTest, IsNotReportedWhileSamplesCome) {
  for (int second = 1; second < 60; ++second) {
    EXPECT_EQ(m_silence.news(at(std::chrono::seconds(second))), std::nullopt);
    m_silence.heard(clocks(std::chrono::seconds(second)));
  }
  EXPECT_THAT(m_silence.text(at(60s)), IsEmpty());
}

TEST_F(HostSilenceTest, IsReportedOnceWithItsBegin) {
  m_silence.heard(clocks(5s));
  EXPECT_EQ(m_silence.news(at(16s)), std::nullopt) << "the interval and ten seconds more";
  const auto begin = formatWallTime(clocks(5s).wall);
  EXPECT_THAT(m_silence.news(at(17s)), Optional(HasSubstr("db1 has sent nothing since " + begin)));
  EXPECT_EQ(m_silence.news(at(60s)), std::nullopt);
  EXPECT_THAT(m_silence.text(at(60s)), HasSubstr(begin)) << "the status line shows it all the time";
}

TEST_F(HostSilenceTest, IsReportedToBeOver) {
  ASSERT_TRUE(m_silence.news(at(20s)));
  m_silence.heard(clocks(30s));
  EXPECT_THAT(m_silence.news(at(30s)), Optional(HasSubstr("db1 resumes sending samples")));
  EXPECT_TRUE(m_silence.news(at(60s))) << "the next one is another";
}

TEST_F(HostSilenceTest, NamesAHostileHostHarmlessly) {
  HostSilence silence("\x1b[2J", Milliseconds(1000), clocks(0s));
  EXPECT_EQ(silence.text(at(20s)).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tcpscope
