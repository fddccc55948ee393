// The check-up's readings on the background queue: counted from the first one or from a reset; of this host, too.
#include "app/desktop/host_checker.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

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

/// A host behind ssh at place 7, which is checked once for each order.
class CheckedRemotely {
public:
  CheckupSources sources(CountingHost& here) {
    CheckupSources sources = sourcesOf(here);
    sources.remoteHost = [this](PlaceId place) {
      return place.number == 7 ? std::optional(RemoteHost{"db1", isConnected}) : std::nullopt;
    };
    sources.checkRemoteHost = [this](const std::string& address, const CheckupOrder& order,
                                     const std::stop_token& stop) {
      std::unique_lock lock(m_mutex);
      m_released.wait(lock, stop, [this] { return !m_isHeld; });
      EXPECT_EQ(address, "db1");
      lastPath = order.path;
      ++orders;
      HostCheckup checkup;
      checkup.rows.resize(static_cast<std::size_t>(orders));
      checkup.window = std::chrono::seconds(5);
      if (order.pid) checkup.rows.push_back({CheckId::oneThread, CheckLayer::application, CheckStatus::pass, {}});
      if (!order.path.empty()) checkup.rows.push_back({CheckId::hops, CheckLayer::network, CheckStatus::pass, {}});
      return outcome ? Expected<HostCheckup, std::string>(checkup) : Unexpected<std::string>("db1 refused");
    };
    return sources;
  }
  static CheckupSubject subject() {
    CheckupSubject subject = subjectAt("elsewhere");
    subject.place.id = PlaceId{7};
    return subject;
  }
  /// Until that many orders have come back.
  bool isCheckedBy(HostChecker& checker, int times) const {
    return comesTrue([&] {
      checker.poll(subject());
      return !checker.state()->isChecking && orders == times;
    });
  }

  /// Its checks take until release().
  void hold() {
    const std::lock_guard lock(m_mutex);
    m_isHeld = true;
  }
  void release() {
    const std::lock_guard lock(m_mutex);
    m_isHeld = false;
    m_released.notify_all();
  }

  bool isConnected = true;
  bool outcome = true;
  std::atomic<int> orders = 0;
  std::string lastPath;

private:
  std::mutex m_mutex;
  std::condition_variable_any m_released;
  bool m_isHeld = false;
};

TEST(HostChecker, HasAHostBehindSshCheckItselfOnceAndAgainOnRequest) {
  CountingHost here;
  CheckedRemotely there;
  HostChecker checker(there.sources(here));
  there.hold();
  checker.poll(CheckedRemotely::subject());
  ASSERT_TRUE(checker.state());
  EXPECT_TRUE(checker.state()->isChecking);
  EXPECT_EQ(checker.state()->host, "db1");
  there.release();
  ASSERT_TRUE(there.isCheckedBy(checker, 1));
  EXPECT_EQ(checker.state()->rows.size(), 1U);
  EXPECT_EQ(checker.state()->observedFor, std::chrono::seconds(5));
  EXPECT_EQ(checker.state()->reachable, kRemote);
  checker.poll(CheckedRemotely::subject());
  EXPECT_FALSE(checker.state()->isChecking) << "not at every poll";
  checker.restart();
  ASSERT_TRUE(there.isCheckedBy(checker, 2));
  EXPECT_EQ(there.lastPath, "");
  there.hold();
  checker.probe(kRemote);
  EXPECT_TRUE(checker.state()->isProbing);
  there.release();
  ASSERT_TRUE(there.isCheckedBy(checker, 3));
  EXPECT_EQ(there.lastPath, kRemote.toString()) << "from there";
  EXPECT_EQ(checker.state()->rows.size(), 4U);
}

TEST(HostChecker, ShowsOfAHostBehindSshWhatBelongsToTheSubject) {
  CountingHost here;
  CheckedRemotely there;
  HostChecker checker(there.sources(here));
  CheckupSubject subject = CheckedRemotely::subject();
  subject.pid = 4711;
  checker.poll(subject);
  ASSERT_TRUE(there.isCheckedBy(checker, 1));
  checker.poll(subject);
  EXPECT_TRUE(hasRow(checker, CheckId::oneThread));
  subject.pid = 4712;
  checker.poll(subject);
  EXPECT_FALSE(hasRow(checker, CheckId::oneThread)) << "of another process";
  checker.probe(kRemote);
  ASSERT_TRUE(there.isCheckedBy(checker, 2));
  EXPECT_TRUE(hasRow(checker, CheckId::hops));
  subject.remote = IpAddress::v4({192, 0, 2, 11});
  checker.poll(subject);
  EXPECT_FALSE(hasRow(checker, CheckId::hops)) << "to another peer";
}

TEST(HostChecker, KeepsTheCheckUpOfAHostBehindSshWhereItsProbeFails) {
  CountingHost here;
  CheckedRemotely there;
  HostChecker checker(there.sources(here));
  ASSERT_TRUE(there.isCheckedBy(checker, 1));
  there.outcome = false;
  checker.probe(kRemote);
  ASSERT_TRUE(there.isCheckedBy(checker, 2));
  EXPECT_EQ(checker.state()->probeError, "db1 refused");
  EXPECT_EQ(checker.state()->notice, "");
  EXPECT_EQ(checker.state()->rows.size(), 1U);
}

TEST(HostChecker, SaysWhyAHostBehindSshIsNotChecked) {
  CountingHost here;
  CheckedRemotely there;
  there.isConnected = false;
  HostChecker checker(there.sources(here));
  checker.poll(CheckedRemotely::subject());
  EXPECT_EQ(checker.state()->notice, "the agent on db1 is disconnected");
  EXPECT_EQ(there.orders, 0);
  there.isConnected = true;
  there.outcome = false;
  ASSERT_TRUE(there.isCheckedBy(checker, 1));
  EXPECT_EQ(checker.state()->notice, "db1 refused");
  EXPECT_TRUE(checker.state()->rows.empty());
}

TEST(HostChecker, ReturnsToThisHost) {
  CountingHost here;
  CheckedRemotely there;
  HostChecker checker(there.sources(here));
  ASSERT_TRUE(there.isCheckedBy(checker, 1));
  ASSERT_TRUE(comesTrue([&] {
    checker.poll(subjectAt("here"));
    return checker.state() != nullptr;
  }));
  EXPECT_EQ(checker.state()->host, "");
  EXPECT_TRUE(hasRow(checker, CheckId::acceptQueue));
  checker.poll(CheckedRemotely::subject());
  EXPECT_FALSE(checker.state()->isChecking) << "what is known of it stays";
  EXPECT_EQ(checker.state()->rows.size(), 1U);
}

TEST(HostChecker, ReadsThisHost) {
  HostChecker checker(CheckupSources::ofThisHost({}));
  ASSERT_TRUE(comesTrue([&] {
    checker.poll({});
    return checker.state() != nullptr;
  }));
  EXPECT_FALSE(checker.state()->rows.empty());
}

}  // namespace
}  // namespace tcpscope
