#include "collectors/host/host_reading_reader.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include "collectors/host/bus_neighbour_reader.h"
#include "collectors/host/cgroup_memory_reader.h"
#include "collectors/host/ethtool_reader.h"
#include "collectors/host/file_values.h"
#include "collectors/host/interrupt_reader.h"
#include "collectors/host/link_files.h"
#include "collectors/host/rtnetlink_reader.h"
#include "collectors/host/sysctl_source_reader.h"
#include "collectors/host/tcp_metrics_reader.h"
#include "collectors/system/kernel_counters.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

/// More than a host has, and few enough to read.
constexpr std::size_t kMostLinks = 512;

/// "8.0 GT/s PCIe" and "4"; nothing for an adapter that sits on no such bus.
std::optional<BusReading> busOf(const fs::path& device) {
  const auto speed = [&](const char* file) -> std::optional<double> {
    std::istringstream text(firstLineOf(device / file));
    double value = 0.0;
    std::string unit;
    if (!(text >> value >> unit) || unit != "GT/s" || value <= 0.0) return std::nullopt;
    return value;
  };
  const auto speedNow = speed("current_link_speed");
  const auto speedMost = speed("max_link_speed");
  const auto lanesNow = numberIn<std::uint32_t>(firstLineOf(device / "current_link_width"));
  const auto lanesMost = numberIn<std::uint32_t>(firstLineOf(device / "max_link_width"));
  if (!speedNow || !speedMost || !lanesNow || !lanesMost || *lanesNow == 0) return std::nullopt;
  return BusReading{*speedNow, *speedMost, *lanesNow, *lanesMost};
}

LinkReading readLink(const fs::path& folder) {
  LinkReading link;
  link.name = UntrustedText(folder.filename().string());
  std::error_code error;
  link.isPhysical = fs::exists(folder / "device", error);
  // "unknown" is what devices say that have no carrier to lose.
  const std::string state = firstLineOf(folder / "operstate");
  link.isUp = state == "up" || state == "unknown";
  if (const auto megabits = linkMegabits(folder)) link.speed = BitsPerSecond(static_cast<double>(*megabits) * 1e6);
  const std::string duplex = linkDuplex(folder);
  if (duplex == "half") link.duplex = Duplex::half;
  if (duplex == "full") link.duplex = Duplex::full;
  if (const auto mtu = numberIn<std::uint64_t>(firstLineOf(folder / "mtu"))) link.mtu = Bytes(*mtu);
  link.bus = busOf(folder / "device");
  if (link.isPhysical) link.neighbours = readBusNeighbours(folder / "device");
  if (const auto changes = numberIn<std::uint64_t>(firstLineOf(folder / "carrier_changes"))) {
    link.counters["carrier_changes"] = *changes;
  }
  for (const fs::directory_entry& counter : fs::directory_iterator(folder / "statistics", error)) {
    const auto value = numberIn<std::uint64_t>(firstLineOf(counter.path()));
    if (value) link.counters[counter.path().filename().string()] = *value;
  }
  return link;
}

std::vector<LinkReading> readLinks(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    // Plain files there are controls of drivers.
    if (entry.is_directory(error) && paths.size() < kMostLinks) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<LinkReading> links;
  links.reserve(paths.size());
  std::transform(paths.begin(), paths.end(), std::back_inserter(links), readLink);
  return links;
}

/// Columns of hexadecimal numbers, a line a processor: packets, dropped, out of time.
std::vector<SoftnetReading> readSoftnet(const fs::path& path) {
  std::vector<SoftnetReading> processors;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    SoftnetReading one;
    columns >> std::hex >> one.processed >> one.dropped >> one.squeezed;
    if (columns) processors.push_back(one);
  }
  return processors;
}

std::map<std::string, std::uint64_t, std::less<>> readTcpCounters(const fs::path& path) {
  constexpr std::size_t kMostCounterBytes = 65536;
  const std::string text = textOf(path, kMostCounterBytes);
  std::map<std::string, std::uint64_t, std::less<>> counters;
  for (const KernelCounter& counter : kernelCounters(text, "TcpExt:")) counters.emplace(counter.name, counter.value);
  return counters;
}

std::optional<CongestionControls> readControls(const fs::path& standard, const fs::path& available) {
  CongestionControls controls{UntrustedText(firstLineOf(standard)), {}};
  if (controls.standard.empty()) return std::nullopt;
  std::istringstream words(firstLineOf(available));
  for (std::string word; words >> word;) controls.available.emplace_back(word);
  return controls;
}

/// "TCP: inuse 5 orphan 0 tw 12 alloc 6 mem 1": each number behind its name.
std::optional<OrphanReading> readOrphans(const fs::path& sockstat, const fs::path& most) {
  std::ifstream file(sockstat);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::string value;
    words >> name;
    if (name != "TCP:") continue;
    while (words >> name >> value) {
      const auto number = numberIn<std::uint64_t>(value);
      if (name == "orphan" && number) return OrphanReading{*number, numberIn<std::uint64_t>(firstLineOf(most))};
    }
  }
  return std::nullopt;
}

std::optional<bool> switchIn(const fs::path& path) {
  const auto number = numberIn<std::int64_t>(firstLineOf(path));
  return number ? std::optional(*number != 0) : std::nullopt;
}

/// Adds the kernel's answers about each interface. /sys shows the network namespace that it was mounted in: interfaces
/// that this one does not have are left out.
void askOfLinks(std::vector<LinkReading>& links, const HostAccess& access) {
  const Reported<LinkTable> table = readLinkTable(access);
  if (table) {
    std::erase_if(links, [&](const LinkReading& link) { return !table->links.contains(link.name); });
  }
  for (LinkReading& link : links) {
    if (table) {
      const LinkFacts& facts = table->links.at(link.name);
      link.isUp = link.isUp && facts.isUp;
      link.kind = facts.kind;
      link.lowerMtu = facts.lowerMtu;
      link.transmitQueueLength = facts.transmitQueueLength;
      link.queueDiscipline = facts.queueDiscipline;
    } else {
      link.queueDiscipline = unreported(table.error());
    }
    link.offloads = readOffloads(link.name, access);
    link.rings = readRings(link.name, access);
    link.coalescing = readCoalescing(link.name, access);
  }
}

}  // namespace

HostReading readHost(const fs::path& root, const HostAccess& access) {
  HostReading reading;
  reading.at = monotonicNow();
  reading.links = readLinks(root / "sys/class/net");
  askOfLinks(reading.links, access);
  reading.processors = readSoftnet(root / "proc/net/softnet_stat");
  addInterrupts(reading, root);
  const fs::path settings = root / "proc/sys/net/ipv4";
  reading.forwards = switchIn(settings / "ip_forward");
  reading.routes = readRoutes(access);
  reading.tuners = otherTuners(root);
  reading.tcpMetrics = readTcpMetrics(access);
  reading.tcpMetricsSettings.savesNothing = switchIn(settings / "tcp_no_metrics_save");
  reading.tcpMetricsSettings.savesNoThreshold = switchIn(settings / "tcp_no_ssthresh_metrics_save");
  reading.orphans = readOrphans(root / "proc/net/sockstat", settings / "tcp_max_orphans");
  reading.controls = readControls(settings / "tcp_congestion_control", settings / "tcp_available_congestion_control");
  reading.groupMemory = readGroupMemory(root / "proc/self/cgroup", root / "sys/fs/cgroup");
  reading.tcpCounters = readTcpCounters(root / "proc/net/netstat");
  return reading;
}

HostReading readHost() {
  return readHost("/", ownHostAccess());
}

}  // namespace tcpscope
