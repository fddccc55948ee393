#include "tests/lab/captured_run.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "app/lab/run/lab_measurement.h"
#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"
#include "collectors/system/owned_descriptor.h"
#include "core/present/text/lab_text.h"
#include "core/session/capture/capture_analysis.h"
#include "tests/lab/undisturbed_run.h"

namespace tcpscope::lab {

namespace {

/// One file a host of the path and one for the middle, in memory.
class Captures {
public:
  explicit Captures(const Scenario& scenario) {
    for (std::size_t file = 0; file <= scenario.path.hosts.size(); ++file) {
      m_files.emplace_back(memfd_create("capture", MFD_CLOEXEC));
      m_descriptors.push_back(m_files.back().get());
    }
  }
  [[nodiscard]] std::span<const int> descriptors() const { return m_descriptors; }
  /// Own offset: the writer's stays where it is.
  [[nodiscard]] std::filesystem::path path(std::size_t file) const {
    return "/proc/self/fd/" + std::to_string(m_descriptors.at(file));
  }

private:
  std::vector<OwnedDescriptor> m_files;
  std::vector<int> m_descriptors;
};

/// For looking at them, with what the path dropped beside them.
void keep(const CapturedRun& run, const Captures& captures, std::span<const std::size_t, kVantages.size()> files,
          const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
    std::ofstream copy(folder / (std::string(name(kVantages.at(vantage))) + ".pcap"), std::ios::binary);
    copy << std::ifstream(captures.path(files[vantage]), std::ios::binary).rdbuf();
  }
  std::ofstream drops(folder / "drops.csv");
  drops << "time_s,link,sequence\n";
  for (const PathEvent& drop : run.drops) {
    drops << fmt::format("{:.6f},{},{}\n", toSeconds(drop.time - Moment()), run.links.at(drop.link), drop.sequence);
  }
}

std::size_t hostNumber(const Scenario& scenario, const std::string& name) {
  std::size_t number = 0;
  while (number < scenario.path.hosts.size() && scenario.path.hosts[number].name != name) ++number;
  return number;
}

bool isSame(const Endpoint& one, const Endpoint& other) {
  return one.port == other.port && one.address.unmapped() == other.address.unmapped();
}

/// The timestamp check of Linux (tcp_paws_discard in net/ipv4/tcp_input.c), as the receiver's capture shows it.
struct TimestampCheck {
  std::set<std::uint32_t> accepted;
  std::optional<std::uint32_t> recent;
  std::uint32_t acknowledged = 0;
  bool refuses(const PacketSample& packet) {
    const auto timestamps = loneTimestamps(packet.options);
    if (!timestamps) return false;
    if (recent && isBefore(timestamps->value + 1, *recent)) {
      return !isBefore(packet.sequence, acknowledged) && accepted.count(packet.sequence) == 0;
    }
    accepted.insert(packet.sequence);
    // What lies before all that is expected is dropped unexamined.
    const bool isExpected = !isBefore(packet.sequence + packet.payloadBytes, acknowledged);
    if (isExpected && !isBefore(acknowledged, packet.sequence)) recent = timestamps->value;
    return false;
  }
};

struct DataCensus {
  DataPackets packets;
  TimestampCheck check;
  std::optional<std::uint32_t> highest;
  void take(const PacketSample& packet) {
    auto& passed = packets.byNumber[packet.sequence];
    const bool isLate = highest && isBefore(packet.sequence, *highest);
    if (passed.empty() && isLate) packets.lateNumbers.insert(packet.sequence);
    if (!isLate) highest = packet.sequence + packet.payloadBytes;
    passed.push_back(packet.identification);
    if (check.refuses(packet)) packets.refused.insert({packet.sequence, packet.identification});
  }
};

std::optional<CapturedTransfer> analyse(const std::filesystem::path& path, const Endpoint& source,
                                        const Endpoint& destination) {
  auto file = openFile(path);
  if (!file) return std::nullopt;
  auto reader = CaptureReader::open(std::move(*file));
  if (!reader) return std::nullopt;
  CaptureAnalysis analysis;
  DataCensus census;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    const auto packet = decodePacket(*item.frame);
    if (!packet) continue;
    analysis.take(*packet);
    if (isSame(packet->source, destination)) census.check.acknowledged = packet->acknowledgment;
    if (packet->payloadBytes == 0 || !isSame(packet->source, source)) continue;
    census.take(*packet);
  }
  for (std::size_t index = 0; index < analysis.connectionCount(); ++index) {
    ConnectionAnalysis connection = analysis.connection(index);
    const ConnectionSummary& flow = connection.flow;
    if (isSame(flow.initiator, source) && isSame(flow.responder, destination))
      return CapturedTransfer{connection, census.packets, 0};
    if (isSame(flow.responder, source) && isSame(flow.initiator, destination))
      return CapturedTransfer{connection, census.packets, 1};
  }
  return std::nullopt;
}

/// In the order of kVantages.
std::array<std::size_t, kVantages.size()> filesOf(const Scenario& scenario) {
  const TrafficSettings& traffic = scenario.traffic.front();
  return {hostNumber(scenario, traffic.from), scenario.path.hosts.size(), hostNumber(scenario, traffic.to)};
}

void analyseAll(CapturedRun& run, const Captures& captures, const Scenario& scenario, const Endpoint& source,
                const Endpoint& destination) {
  const auto files = filesOf(scenario);
  for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
    run.captures.at(vantage) = analyse(captures.path(files.at(vantage)), source, destination);
  }
}

void takeFailure(CapturedRun& run, const LabError& error) {
  run.failure = sentence(error);
  run.isWithoutLab = isWithoutLab(error);
}

/// "Name value" pairs of a file in which a line of names is followed by a line of values.
std::map<std::string, std::uint64_t> namedCounters(const std::filesystem::path& path) {
  std::map<std::string, std::uint64_t> counters;
  std::ifstream file(path);
  for (std::string names, values; std::getline(file, names) && std::getline(file, values);) {
    std::istringstream name(names);
    std::istringstream value(values);
    std::string prefix;
    name >> prefix;
    value >> prefix;
    std::string key;
    for (std::int64_t number = 0; name >> key && value >> number;) counters[key] = static_cast<std::uint64_t>(number);
  }
  return counters;
}

std::map<int, int> parents() {
  std::map<int, int> parents;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string stat;
    if (!std::getline(file, stat)) continue;
    int process = 0;
    int parent = 0;
    char state = 0;
    std::istringstream(stat) >> process;
    std::istringstream(stat.substr(stat.rfind(')') + 1)) >> state >> parent;
    parents[process] = parent;
  }
  return parents;
}

std::filesystem::path namespaceOf(int process) {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/ns/net", ignored);
}

/// Of the host that sent most again, among those of the processes under this one.
std::optional<KernelCounts> kernelCounts() {
  const std::map<int, int> parentOf = parents();
  std::optional<KernelCounts> most;
  for (const auto& [process, parent] : parentOf) {
    int ancestor = process;
    while (ancestor > 1 && ancestor != getpid()) ancestor = parentOf.count(ancestor) > 0 ? parentOf.at(ancestor) : 0;
    if (ancestor != getpid() || process == getpid() || namespaceOf(process) == namespaceOf(getpid())) continue;
    const std::filesystem::path folder = "/proc/" + std::to_string(process) + "/net";
    auto extended = namedCounters(folder / "netstat");
    auto basic = namedCounters(folder / "snmp");
    KernelCounts counts{extended["TCPFastRetrans"], extended["TCPTimeouts"] + extended["TCPSlowStartRetrans"],
                        basic["RetransSegs"]};
    if (!most || counts.all > most->all) most = counts;
  }
  return most;
}

/// With half of the path's delay behind the middle, so that it is one. Nothing else changes for the ends.
Scenario withMiddle(Scenario scenario) {
  DuplexSettings& path = scenario.path.path;
  path.forward.delay /= 2;
  path.backward.delay /= 2;
  for (AttachedHost& host : scenario.path.hosts) {
    if (host.side != PathSide::right) continue;
    host.access.forward.delay += path.backward.delay;
    host.access.backward.delay += path.forward.delay;
  }
  return scenario;
}

/// Compares what the captures at both ends show for each sequence number with the path's log: the two must agree.
bool agreesWithLog(const CapturedRun& run) {
  if (!run.captures.front() || !run.captures.back()) return true;
  std::map<std::uint32_t, std::ptrdiff_t> missing;
  for (const auto& [number, sent] : run.captures.front()->passed.byNumber) missing[number] = std::ssize(sent);
  for (const auto& [number, came] : run.captures.back()->passed.byNumber) missing[number] -= std::ssize(came);
  for (const PathEvent& drop : run.drops) --missing[drop.sequence];
  return std::all_of(missing.begin(), missing.end(), [](const auto& one) { return one.second == 0; });
}

}  // namespace

CapturedRun runTransfer(const Scenario& scenario, Nanoseconds timeout, const std::filesystem::path& keepIn) {
  CapturedRun run;
  const Captures captures(scenario);
  auto lab = LabProcess::startCaptured(scenario, captures.descriptors());
  if (!lab) return takeFailure(run, lab.error()), run;
  constexpr Nanoseconds kPoll = std::chrono::milliseconds(200);
  Expected<LabResult, LabError> result = (*lab)->report();
  const Moment end = (*lab)->startedAt() + timeout;
  for (Moment next = (*lab)->startedAt(); result && next < end && !isComplete(scenario, *result); next = next + kPoll) {
    waitUntil(next);
    result = (*lab)->report();
  }
  if (!result) return takeFailure(run, result.error()), run;
  if (!isComplete(scenario, *result)) run.failure = "the transfer did not come to its end";
  // The last acknowledgments.
  waitUntil(result->readAt + kPoll);
  run.kernel = kernelCounts();
  result = (*lab)->report();
  if (!result || result->transfers.empty()) return run;
  for (const LinkReport& link : result->path.links) run.links.push_back(link.name);
  const TransferRecord& main = result->transfers.front();
  for (const PathEvent& event : (*lab)->events()) {
    if (isDrop(event.kind) && event.payloadBytes > 0 && isSame(event.source, main.source)) run.drops.push_back(event);
  }
  run.disturbance = disturbanceOf(result->path.lateness999, result->path.worstLateness);
  analyseAll(run, captures, scenario, main.source, main.destination);
  if (!agreesWithLog(run)) run.failure = "the captures at the ends and the path's log do not show the same drops";
  if (!keepIn.empty()) keep(run, captures, filesOf(scenario), keepIn);
  return run;
}

CapturedRun runJudged(const Scenario& original) {
  const Scenario scenario = withMiddle(original);
  CapturedRun run;
  const Captures captures(scenario);
  const auto judged = runOnce(scenario, Watch::yes, waitUntil, captures.descriptors());
  if (!judged) return takeFailure(run, judged.error()), run;
  if (!judged->skipped.empty()) run.failure = sentence(judged->skipped.front().reason);
  run.live = judged->agreement;
  run.disturbance = disturbanceOf(*judged);
  if (judged->transfers.empty() || !judged->transfers.front().sender) return run;
  const SocketObservation& socket = judged->transfers.front().sender->socket;
  analyseAll(run, captures, scenario, socket.local, socket.remote);
  return run;
}

}  // namespace tcpscope::lab
