#include "collectors/host/host_reading_reader.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

/// More than a host has, and few enough to read.
constexpr std::size_t kMostLinks = 512;

std::string firstLineOf(const fs::path& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

template <class Number>
std::optional<Number> numberIn(std::string_view text, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  return number;
}

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
  const auto megabits = numberIn<std::int64_t>(firstLineOf(folder / "speed"));
  // -1 is unknown.
  if (megabits && *megabits > 0) link.speed = BitsPerSecond(static_cast<double>(*megabits) * 1e6);
  const std::string duplex = firstLineOf(folder / "duplex");
  if (duplex == "half") link.duplex = Duplex::half;
  if (duplex == "full") link.duplex = Duplex::full;
  if (const auto mtu = numberIn<std::uint64_t>(firstLineOf(folder / "mtu"))) link.mtu = Bytes(*mtu);
  link.bus = busOf(folder / "device");
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

/// A line of names, then a line of values, each with what they belong to in front.
std::map<std::string, std::uint64_t, std::less<>> readTcpCounters(const fs::path& path) {
  constexpr std::string_view kOurs = "TcpExt:";
  std::map<std::string, std::uint64_t, std::less<>> counters;
  std::ifstream file(path);
  std::string names;
  std::string values;
  while (std::getline(file, names) && std::getline(file, values)) {
    std::istringstream nameWords(names);
    std::istringstream valueWords(values);
    std::string name;
    std::string value;
    nameWords >> name;
    valueWords >> value;
    if (name != kOurs || value != kOurs) continue;
    while (nameWords >> name && valueWords >> value) {
      if (const auto number = numberIn<std::uint64_t>(value)) counters[name] = *number;
    }
  }
  return counters;
}

}  // namespace

HostReading readHost(const fs::path& root) {
  HostReading reading;
  reading.at = monotonicNow();
  reading.links = readLinks(root / "sys/class/net");
  reading.processors = readSoftnet(root / "proc/net/softnet_stat");
  reading.tcpCounters = readTcpCounters(root / "proc/net/netstat");
  return reading;
}

}  // namespace tcpscope
