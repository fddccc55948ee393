// The check-up's readings on the background queue: counted from the first one or from a reset; of this host, too.
#include "app/desktop/host_checker.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>

#include "tests/app/desktop/demo_waiting.h"

namespace tcpscope {
namespace {

using test::comesTrue;

const IpAddress kRemote = IpAddress::v4({192, 0, 2, 10});

/// Every reading is a second and five refused connections later.
class CountingHost {
public:
  HostReading read() {
    HostReading reading;
    reading.at = Moment::fromNanoseconds(0) + std::chrono::seconds(m_readings);
    reading.tcpCounters = {{"ListenDrops", 5 * m_readings}};
    ++m_readings;
    return reading;
  }

private:
  std::uint64_t m_readings = 0;
};

/// With a program of two threads, and a path of one hop that answers only when asked.
CheckupSources sourcesOf(CountingHost& host) {
  return {[&] { return host.read(); },
          [](std::uint32_t pid) -> Reported<ProcessReading> {
            ProcessReading reading;
            reading.pid = pid;
            reading.name = UntrustedText("server");
            reading.threads = {{pid, UntrustedText("server")}};
            return reading;
          },
          [](const IpAddress& remote, const std::stop_token&) -> Expected<PathReading, SystemError> {
            if (remote != kRemote) {
              return Unexpected<SystemError>(
                  SystemError{SystemAttempt::probePath, ENETUNREACH, UntrustedText(remote.toString())});
            }
            PathReading reading;
            reading.target = remote;
            reading.hops = {{remote, Microseconds(300)}};
            reading.isReached = true;
            return reading;
          },
          [](const Place& place) { return place.bootId == "here"; }};
}

CheckupSubject subjectAt(const char* bootId, std::optional<std::uint32_t> pid = {}, const IpAddress& remote = kRemote) {
  Place place;
  place.bootId = bootId;
  return {place, pid, remote};
}

bool hasRow(HostChecker& checker, CheckId id) {
  const auto state = checker.state();
  return state &&
         std::any_of(state->rows.begin(), state->rows.end(), [&](const CheckRow& row) { return row.id == id; });
}

std::optional<std::uint64_t> refusedDuring(const HostCheckupState& state) {
  const auto found = std::find_if(state.rows.begin(), state.rows.end(),
                                  [](const CheckRow& row) { return row.id == CheckId::acceptQueue; });
  return found == state.rows.end() ? std::nullopt : found->during;
}

/// Until that much was looked at.
bool looksFor(HostChecker& checker, Nanoseconds span) {
  return comesTrue([&] {
    const auto state = checker.state();
    if (state && state->observedFor == span) return true;
    checker.poll({});
    return false;
  });
}

TEST(HostChecker, CountsFromTheFirstReadingOn) {
  CountingHost host;
  HostChecker checker(sourcesOf(host));
  EXPECT_EQ(checker.state(), nullptr) << "one reading shows no change";
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(1)));
  EXPECT_EQ(refusedDuring(*checker.state()), 5U);
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(3)));
  EXPECT_EQ(refusedDuring(*checker.state()), 15U);
}

TEST(HostChecker, ResetsTheCountersOnRequest) {
  CountingHost host;
  HostChecker checker(sourcesOf(host));
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(4)));
  checker.restart();
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(1)));
  EXPECT_EQ(refusedDuring(*checker.state()), 5U);
}

TEST(HostChecker, LooksAtTheProgramOfTheSubjectWhereItRunsHere) {
  CountingHost host;
  HostChecker checker(sourcesOf(host));
  ASSERT_TRUE(comesTrue([&] {
    checker.poll(subjectAt("elsewhere", 4711));
    return checker.state() != nullptr;
  }));
  EXPECT_FALSE(hasRow(checker, CheckId::oneThread));
  EXPECT_FALSE(checker.state()->reachable) << "from another host";
  EXPECT_TRUE(comesTrue([&] {
    checker.poll(subjectAt("here", 4711));
    return hasRow(checker, CheckId::oneThread);
  }));
  EXPECT_EQ(checker.state()->rows.back().pid, 4711U);
  EXPECT_EQ(checker.state()->reachable, kRemote);
}

TEST(HostChecker, ShowsThePathOnlyWhileItsEndIsTheSubjects) {
  CountingHost host;
  HostChecker checker(sourcesOf(host));
  checker.probe(kRemote);
  EXPECT_TRUE(comesTrue([&] {
    checker.poll(subjectAt("here"));
    return hasRow(checker, CheckId::hops);
  }));
  EXPECT_FALSE(checker.state()->isProbing);
  checker.poll(subjectAt("here", {}, IpAddress::v4({192, 0, 2, 11})));
  EXPECT_FALSE(hasRow(checker, CheckId::hops));
  checker.poll({});
  EXPECT_FALSE(hasRow(checker, CheckId::hops));
}

TEST(HostChecker, SaysWhyAPathCannotBeProbed) {
  CountingHost host;
  HostChecker checker(sourcesOf(host));
  const IpAddress other = IpAddress::v4({192, 0, 2, 11});
  checker.probe(other);
  EXPECT_TRUE(comesTrue([&] {
    checker.poll(subjectAt("here", {}, other));
    const auto state = checker.state();
    return state && !state->isProbing;
  }));
  EXPECT_THAT(checker.state()->probeError, testing::HasSubstr("cannot send to 192.0.2.11: Network is unreachable"));
}

TEST(HostChecker, ReadsThisHost) {
  HostChecker checker(CheckupSources::ofThisHost());
  ASSERT_TRUE(comesTrue([&] {
    checker.poll({});
    return checker.state() != nullptr;
  }));
  EXPECT_FALSE(checker.state()->rows.empty());
}

}  // namespace
}  // namespace tcpscope
