// A transfer limited by a small send buffer over a long path becomes fast while it runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "core/present/json/tune_document.h"
#include "tests/kernel/command_line.h"
#include "tests/support/json_schema.h"
#include "tests/support/own_state_folder.h"
#include "tests/support/path_relay.h"
#include "tests/support/stolen_time.h"
#include "tests/support/traffic.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::NetworkHost;
using test::PathRelay;

constexpr std::chrono::seconds kTunedHostLife{90};
constexpr Nanoseconds kLate = 10ms;
constexpr double kStarved = 0.05;
constexpr double kPathRate = 50e6;
/// The kernel doubles it (socket(7)) and counts its own overhead: some 100 kB of data, 16 Mbit/s over 50 ms.
constexpr int kSendBufferBytes = 65'536;
/// Of the path's rate: well above what that buffer allows, and what counts as fast.
constexpr double kLimited = 0.5;
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

/// A program that locked its send buffer sends over 50 ms as fast as that allows.
class TunedConnection : public ::testing::Test {
protected:
  void SetUp() override {
    const auto hostAt = [](const char* address) { return NetworkHost::make({address, 1500, {}}); };
    auto sender = hostAt("10.77.0.1");
    auto receiver = hostAt("10.77.0.2");
    if (!sender || !receiver) GTEST_SKIP() << "this machine gives no network namespace";
    m_sender = std::move(*sender);
    m_receiver = std::move(*receiver);
    lab::LinkSettings link;
    link.delay = 25ms;
    link.rate = BitsPerSecond(kPathRate);
    const std::array<const NetworkHost*, 2> hosts = {m_sender.get(), m_receiver.get()};
    m_relay.emplace(hosts, test::betweenTwoHosts(test::bothWays(link)));
    m_receiver->start([] { run(test::ReceiverProgram(), kTunedHostLife); });
    test::SenderProgram program;
    program.sendBufferBytes = kSendBufferBytes;
    program.bytesPerWrite = 16'384;
    program.endsRecords = true;
    m_sender->start([program] { run(program, kTunedHostLife); });
    for (int attempt = 0; attempt < 1000 && receivedBytes(*m_receiver) < 2'000'000; ++attempt) {
      std::this_thread::sleep_for(10ms);
    }
  }
  test::CommandResult tune(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"tune", "SO_SNDBUF=1MiB", "SO_BUF_LOCK=none", "--netns",
                                      std::to_string(m_sender->pid())};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", "dport = :5001 and state established"});
    return test::runCommandLine(words);
  }
  /// The path took so long that nothing can be judged.
  bool wasLate() {
    const double stolenRatio = m_stolen.ratio();
    return m_relay->stop().report.lateness999 > kLate || stolenRatio > kStarved;
  }

  std::unique_ptr<NetworkHost> m_sender;
  std::unique_ptr<NetworkHost> m_receiver;
  test::OwnStateFolder m_state;
  std::optional<PathRelay> m_relay;
  test::StolenTime m_stolen;
};

TEST_F(TunedConnection, BecomesFastWithinThreeSeconds) {
  const double before = rateTo(*m_receiver);
  const auto tuned = tune({});
  const auto since = Clock::now();
  double after = 0.0;
  while (tuned.exitCode == 0 && Clock::now() - since < 3s && after < kFast * kPathRate) {
    after = std::max(after, rateTo(*m_receiver));
  }
  const bool late = wasLate();
  if (tuned.exitCode == 3) GTEST_SKIP() << "no right to reach into the sender";
  ASSERT_EQ(tuned.exitCode, 0);
  std::printf("  before %.1f Mbit/s, within 3 s after %.1f Mbit/s\n", before / 1e6, after / 1e6);
  const bool isAsWanted = before <= kLimited * kPathRate && after >= kFast * kPathRate;
  if (!isAsWanted && late) GTEST_SKIP() << "the path was late: nothing to judge";
  EXPECT_LE(before, kLimited * kPathRate);
  EXPECT_GE(after, kFast * kPathRate);
}

TEST_F(TunedConnection, IsSaidToBeFasterByWhatItWasMeasured) {
  const auto tuned = tune({"--measure", "15", "--json"});
  const bool late = wasLate();
  if (tuned.exitCode == 3) GTEST_SKIP() << "no right to reach into the sender";
  ASSERT_EQ(tuned.exitCode, 0);
  EXPECT_TRUE(test::conformsTo(tuneSchema(), tuned.output));
  const auto proof = nlohmann::json::parse(tuned.output).at("proof");
  std::printf("  %s\n", proof.at("text").get<std::string>().c_str());
  ASSERT_TRUE(proof.contains("compared"));
  const bool isAsWanted = proof.value("decided", false) && proof.at("before").at("mean_bps") <= kLimited * kPathRate &&
                          proof.at("after").at("mean_bps") >= kFast * kPathRate;
  if (!isAsWanted && late) GTEST_SKIP() << "the path was late: nothing to judge";
  ASSERT_TRUE(proof.at("compared"));
  EXPECT_TRUE(proof.at("decided"));
  EXPECT_GT(proof.at("speedup_ratio"), kFast / kLimited);
  EXPECT_LE(proof.at("before").at("mean_bps"), kLimited * kPathRate);
  EXPECT_GE(proof.at("after").at("mean_bps"), kFast * kPathRate);
}

}  // namespace
}  // namespace tcpscope
