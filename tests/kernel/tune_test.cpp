// A transfer that a small send buffer holds back over a long path becomes fast while it runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/kernel/command_line.h"
#include "tests/support/path_relay.h"
#include "tests/support/stolen_time.h"
#include "tests/support/traffic.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::NetworkHost;
using test::PathRelay;

constexpr std::chrono::seconds kLife{90};
constexpr Nanoseconds kLate = 10ms;
constexpr double kStarved = 0.05;
constexpr double kPathRate = 50e6;
/// Of the path's rate: what a buffer of 64 KiB allows at most over 50 ms, and what counts as fast.
constexpr double kHeldBack = 0.6;
constexpr double kFast = 0.8;

std::uint64_t receivedBytes(const NetworkHost& host) {
  std::ifstream file("/proc/" + std::to_string(host.pid()) + "/net/dev");
  for (std::string line; std::getline(file, line);) {
    const std::size_t name = line.find("path0:");
    std::uint64_t bytes = 0;
    if (name != std::string::npos && std::istringstream(line.substr(name + 6)) >> bytes) return bytes;
  }
  return 0;
}

/// In bit/s, over about half a second of the clock.
double rateTo(const NetworkHost& host) {
  const auto began = Clock::now();
  const std::uint64_t before = receivedBytes(host);
  std::this_thread::sleep_for(500ms);
  const std::chrono::duration<double> span = Clock::now() - began;
  return static_cast<double>(receivedBytes(host) - before) * 8 / span.count();
}

TEST(TunedConnection, BecomesFastWithinThreeSeconds) {
  auto sender = NetworkHost::make({"10.77.0.1", 1500, {}});
  if (!sender) GTEST_SKIP() << "this machine gives no network namespace: " << sender.error();
  auto receiver = NetworkHost::make({"10.77.0.2", 1500, {}});
  if (!receiver) GTEST_SKIP() << "this machine gives no network namespace: " << receiver.error();
  std::string folder = ::testing::TempDir() + "tcpscope-tune-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  setenv("STATE_DIRECTORY", folder.c_str(), 1);

  lab::LinkSettings link;
  link.delay = 25ms;
  link.rate = BitsPerSecond(kPathRate);
  const std::array<const NetworkHost*, 2> hosts = {sender->get(), receiver->get()};
  PathRelay relay(hosts, test::betweenTwoHosts(test::bothWays(link)));
  const test::StolenTime stolen;
  (*receiver)->start([] { run(test::ReceiverProgram(), kLife); });
  test::SenderProgram program;
  program.sendBufferBytes = 65'536;
  (*sender)->start([program] { run(program, kLife); });
  for (int attempt = 0; attempt < 1000 && receivedBytes(**receiver) < 2'000'000; ++attempt) {
    std::this_thread::sleep_for(10ms);
  }
  const double before = rateTo(**receiver);

  const auto tuned =
      test::runCommandLine({"tune", "SO_SNDBUF=1MiB", "SO_BUF_LOCK=none", "--netns", std::to_string((*sender)->pid()),
                            "--", "dport = :5001 and state established"});
  const auto since = Clock::now();
  double after = 0.0;
  while (tuned.exitCode == 0 && Clock::now() - since < 3s && after < kFast * kPathRate) {
    after = std::max(after, rateTo(**receiver));
  }
  const double stolenRatio = stolen.ratio();
  const test::RelayResult path = relay.stop();
  std::filesystem::remove_all(folder);
  unsetenv("STATE_DIRECTORY");
  if (tuned.exitCode == 3) GTEST_SKIP() << "no right to reach into the sender";
  ASSERT_EQ(tuned.exitCode, 0);
  std::printf("  before %.1f Mbit/s, within 3 s after %.1f Mbit/s\n", before / 1e6, after / 1e6);
  const bool late = path.report.lateness999 > kLate || stolenRatio > kStarved;
  const bool isAsWanted = before <= kHeldBack * kPathRate && after >= kFast * kPathRate;
  if (!isAsWanted && late) GTEST_SKIP() << "the path was late: nothing to judge";
  EXPECT_LE(before, kHeldBack * kPathRate);
  EXPECT_GE(after, kFast * kPathRate);
}

}  // namespace
}  // namespace tcpscope
