// The check-up's readings on the background queue: counted from the first on, and from anew; of this host, too.
#include "app/desktop/host_checker.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>

#include "collectors/host/host_reading_reader.h"
#include "tests/app/desktop/demo_waiting.h"

namespace tcpscope {
namespace {

using test::comesTrue;

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

std::optional<std::uint64_t> refusedDuring(const HostCheckupState& state) {
  const auto found = std::find_if(state.rows.begin(), state.rows.end(),
                                  [](const CheckRow& row) { return row.id == CheckId::acceptQueue; });
  return found == state.rows.end() ? std::nullopt : found->during;
}

/// Until that much was looked at.
bool looksFor(HostChecker& checker, Nanoseconds span) {
  return comesTrue([&] {
    const auto state = checker.state();
    if (state && state->lookedFor == span) return true;
    checker.look();
    return false;
  });
}

TEST(HostChecker, CountsFromTheFirstReadingOn) {
  CountingHost host;
  HostChecker checker([&] { return host.read(); });
  EXPECT_EQ(checker.state(), nullptr) << "one reading tells no change";
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(1)));
  EXPECT_EQ(refusedDuring(*checker.state()), 5U);
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(3)));
  EXPECT_EQ(refusedDuring(*checker.state()), 15U);
}

TEST(HostChecker, CountsAnewWhenAsked) {
  CountingHost host;
  HostChecker checker([&] { return host.read(); });
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(4)));
  checker.startAnew();
  ASSERT_TRUE(looksFor(checker, std::chrono::seconds(1)));
  EXPECT_EQ(refusedDuring(*checker.state()), 5U);
}

TEST(HostChecker, ReadsThisHost) {
  HostChecker checker([] { return readHost(); });
  ASSERT_TRUE(comesTrue([&] {
    checker.look();
    return checker.state() != nullptr;
  }));
  EXPECT_FALSE(checker.state()->rows.empty());
}

}  // namespace
}  // namespace tcpscope
