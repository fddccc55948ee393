// What the analysis of a capture costs, against a bare libpcap loop over the same file and against tcptrace and tshark,
// all in processor time of one run; and what it keeps in memory. The captures are of the kernel's own transfers.
#include <fcntl.h>
#include <fmt/core.h>
#include <pcap/pcap.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>

#include "core/session/capture/capture_analysis.h"
#include "tests/bench/captured_segments.h"
#include "tests/bench/captured_traffic.h"
#include "tests/bench/measurement.h"

extern char** environ;

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

/// Every packet handed over by libpcap, nothing done with it.
std::uint64_t bareLoop(const std::filesystem::path& file) {
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  pcap_t* capture = pcap_open_offline(file.c_str(), error.data());
  std::uint64_t packets = 0;
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  while (pcap_next_ex(capture, &header, &bytes) == 1) ++packets;
  pcap_close(capture);
  return packets;
}

struct Stage {
  const char* name;
  std::function<void(const std::filesystem::path&)> run;
};

void readOnly(const std::filesystem::path& file) {
  const auto reader = openCapture(file);
  while (reader->next().frame != nullptr) continue;
}
void readAndDecode(const std::filesystem::path& file) {
  std::uint64_t bytes = 0;
  readSegments(file, [&](const PacketSample& packet) { bytes += packet.payloadBytes; });
}
void followFlows(const std::filesystem::path& file) {
  FlowTable flows;
  readSegments(file, [&](const PacketSample& packet) { flows.take(packet); });
}
void analyze(const std::filesystem::path& file) {
  CaptureAnalysis analysis;
  readSegments(file, [&](const PacketSample& packet) { analysis.take(packet); });
}
void analyzeWithSeries(const std::filesystem::path& file) {
  CaptureAnalysis analysis;
  analysis.keepSeries();
  readSegments(file, [&](const PacketSample& packet) { analysis.take(packet); });
}

struct RunTime {
  double processorSeconds = 0.0;
  double wallSeconds = 0.0;
};

/// Of a program whose output is discarded; nothing where it is missing or fails.
std::optional<RunTime> runTimeOf(const std::vector<std::string>& command) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int output : {1, 2}) posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  rusage usage{};
  if (error != 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) return std::nullopt;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return RunTime{seconds(usage.ru_utime) + seconds(usage.ru_stime), elapsed.count()};
}

void compare(const char* name, const CapturedTraffic& traffic, double target, int rounds, bool isQuick) {
  // The peers keep no packets either.
  constexpr std::size_t kWhole = 3;
  const std::array<Stage, 5> stages = {{{"reading", readOnly},
                                        {"reading and decoding", readAndDecode},
                                        {"with its flows", followFlows},
                                        {"whole analysis", analyze},
                                        {"whole analysis and plot series", analyzeWithSeries}}};
  std::vector<double> bare;
  std::array<std::vector<double>, stages.size()> ours;
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(threadCpuOf([&] { bareLoop(traffic.file); }));
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      ours[stage].push_back(threadCpuOf([&] { stages[stage].run(traffic.file); }));
    }
  }
  const auto perPacket = [&](double seconds) { return seconds * 1e9 / static_cast<double>(traffic.packets); };
  const std::string peer = fmt::format("bare libpcap loop {:.0f} ns", perPacket(median(bare)));
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const bool isWhole = stage >= kWhole;
    publish({fmt::format("{}, {} packets: {}", name, traffic.packets, stages[stage].name),
             fmt::format("{:.0f} ns a packet", perPacket(median(ours[stage]))), peer,
             median(ours[stage]) / median(bare), "ratio", isWhole && !isQuick ? std::optional(target) : std::nullopt});
  }
  const std::array<std::pair<const char*, std::vector<std::string>>, 2> peers = {
      {{"tcptrace -r -l", {"tcptrace", "-n", "-r", "-l", traffic.file.string()}},
       {"tshark -q -z conv,tcp", {"tshark", "-n", "-q", "-z", "conv,tcp", "-r", traffic.file.string()}}}};
  for (const auto& [title, command] : peers) {
    const auto time = runTimeOf(command);
    if (!time) {
      fmt::print("  {} is not installed, or failed\n", title);
      continue;
    }
    const double seconds = time->processorSeconds;
    publish({fmt::format("{}: against {}", name, title),
             fmt::format("{:.0f} ns a packet", perPacket(median(ours[kWhole]))),
             fmt::format("{:.0f} ns, {:.1f} × the bare loop", perPacket(seconds), seconds / median(bare)),
             median(ours[kWhole]) / seconds, "ratio", isQuick ? std::nullopt : std::optional(1.0)});
  }
}

/// Multiples of the bare loop that the whole command may take on two processors.
struct CommandTargets {
  double wall = 0.0;
  double processor = 0.0;
  /// With --json.
  std::optional<double> jsonProcessor;
};

/// What a user runs: `tcpscope-cli analyze`, as text and as JSON.
void compareCommands(const char* name, const CapturedTraffic& traffic, const CommandTargets& targets, int rounds,
                     bool isQuick) {
  std::vector<double> bare;
  std::array<std::vector<double>, 2> processor;
  std::array<std::vector<double>, 2> wall;
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(threadCpuOf([&] { bareLoop(traffic.file); }));
    for (const bool asJson : {false, true}) {
      std::vector<std::string> command = {TCPSCOPE_CLI, "analyze", traffic.file.string()};
      if (asJson) command.emplace_back("--json");
      const auto time = runTimeOf(command);
      if (!time) return fmt::print("  analyze failed\n");
      processor.at(asJson ? 1 : 0).push_back(time->processorSeconds);
      wall.at(asJson ? 1 : 0).push_back(time->wallSeconds);
    }
  }
  const auto show = [&](std::string_view what, const std::vector<double>& ours, std::optional<double> target) {
    publish({fmt::format("{}: {}", name, what), fmt::format("{:.0f} ms", median(ours) * 1e3),
             fmt::format("bare libpcap loop {:.0f} ms", median(bare) * 1e3), median(ours) / median(bare), "ratio",
             isQuick ? std::nullopt : target});
  };
  show("analyze, wall time", wall[0], targets.wall);
  show("analyze, processor time", processor[0], targets.processor);
  show("analyze --json, wall time", wall[1], std::nullopt);
  show("analyze --json, processor time", processor[1], targets.jsonProcessor);
}

/// Growth of the analysis over the second half of a long transfer.
void measureMemory(const CapturedTraffic& traffic) {
  CaptureAnalysis analysis;
  std::uint64_t packets = 0;
  std::size_t atHalf = 0;
  readSegments(traffic.file, [&](const PacketSample& packet) {
    analysis.take(packet);
    if (++packets == traffic.packets / 2) atHalf = residentBytes();
  });
  const double grown = static_cast<double>(residentBytes()) - static_cast<double>(atHalf);
  publish({"bulk: growth over the second half", fmt::format("{:.0f} KB", grown / 1e3), "", grown / 1e3, "KB", 100.0});
}

/// What the analysis keeps of connections that are over, beside their packets.
void measureConnections(const CapturedTraffic& traffic, bool isQuick) {
  CaptureAnalysis analysis;
  analysis.keepLogs();
  readSegments(traffic.file, [&](const PacketSample& packet) { analysis.take(packet); });
  const double bytes = static_cast<double>(analysis.residentBytes()) /
                       static_cast<double>(std::max<std::size_t>(analysis.connectionCount(), 1));
  publish({"short flows: a connection", fmt::format("{:.0f} bytes", bytes), "", bytes, "bytes",
           isQuick ? std::nullopt : std::optional(1024.0)});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "captures-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return EXIT_FAILURE;
  const auto bulk = captureBulk(folder, Bytes(quick ? 4'000'000 : 960'000'000));
  const auto lossy = captureLossy(folder, Bytes(quick ? 4'000'000 : 400'000'000));
  const auto shortFlows = captureShortFlows(folder, quick ? 200 : 20'000);
  if (bulk && lossy && shortFlows) {
    const int rounds = quick ? 1 : 7;
    compare("bulk", *bulk, 2.0, rounds, quick);
    compare("4 flows with loss", *lossy, 2.0, rounds, quick);
    compare("short flows", *shortFlows, 3.0, rounds, quick);
    compareCommands("bulk", *bulk, {1.0, 1.6, {}}, rounds, quick);
    compareCommands("4 flows with loss", *lossy, {1.3, 2.2, {}}, rounds, quick);
    compareCommands("short flows", *shortFlows, {2.5, 4.0, 6.0}, rounds, quick);
    measureMemory(*bulk);
    measureConnections(*shortFlows, quick);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
