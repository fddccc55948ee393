#include "collectors/host/cgroup_memory_reader.h"

#include <algorithm>

#include "collectors/host/file_values.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

/// Larger than any of these files is.
constexpr std::size_t kMostBytes = 64UL * 1024;
constexpr std::size_t kMostLevels = 64;

std::uint64_t orNone(std::optional<std::uint64_t> value) {
  return value.value_or(0);
}

/// The smaller of memory.max and memory.high; "max" is none.
std::optional<std::uint64_t> limitOf(const fs::path& group) {
  const auto most = numberIn<std::uint64_t>(firstLineOf(group / "memory.max"));
  const auto high = numberIn<std::uint64_t>(firstLineOf(group / "memory.high"));
  if (most && high) return std::min(*most, *high);
  return most ? most : high;
}

/// Without the file cache: what has to stay.
std::optional<std::uint64_t> usedIn(const fs::path& group) {
  const auto used = numberIn<std::uint64_t>(firstLineOf(group / "memory.current"));
  if (!used) return std::nullopt;
  const std::string figures = textOf(group / "memory.stat", kMostBytes);
  const std::uint64_t cache = orNone(keyedValue(figures, "inactive_file")) + orNone(keyedValue(figures, "active_file"));
  return *used - std::min(*used, cache);
}

std::optional<std::uint64_t> timesAtLimit(const fs::path& group) {
  // Those of this level alone: the groups below have their own.
  const std::string events = textOf(group / "memory.events.local", kMostBytes);
  const auto high = keyedValue(events, "high");
  const auto most = keyedValue(events, "max");
  if (!high && !most) return std::nullopt;
  return orNone(high) + orNone(most);
}

/// Adds a level: the one with the least left decides.
void addLevel(GroupMemoryReading& reading, const fs::path& group) {
  if (const auto times = timesAtLimit(group)) reading.timesAtLimit = orNone(reading.timesAtLimit) + *times;
  const auto limit = limitOf(group);
  const auto used = usedIn(group);
  if (!limit) return;
  const auto left = [](std::uint64_t most, std::uint64_t is) { return most - std::min(most, is); };
  const bool isTighter = !reading.limit || !reading.used ||
                         (used && left(*limit, *used) < left(reading.limit->value(), reading.used->value()));
  if (!isTighter) return;
  reading.limit = Bytes(*limit);
  reading.used = used ? std::optional(Bytes(*used)) : std::nullopt;
}

}  // namespace

std::optional<std::string> groupPathOf(std::string_view cgroupText) {
  constexpr std::string_view kVersion2 = "0::/";
  while (!cgroupText.empty()) {
    const std::string_view line = cgroupText.substr(0, cgroupText.find('\n'));
    cgroupText.remove_prefix(std::min(line.size() + 1, cgroupText.size()));
    if (!line.starts_with(kVersion2)) continue;
    const std::string_view path = line.substr(kVersion2.size() - 1);
    // A group outside of this namespace's own tree appears as one above it.
    if (path.find("/..") != std::string_view::npos || path.find('\0') != std::string_view::npos) return std::nullopt;
    return std::string(path);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> keyedValue(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ' ') {
      return numberIn<std::uint64_t>(line.substr(key.size() + 1));
    }
  }
  return std::nullopt;
}

Reported<GroupMemoryReading> readGroupMemory(const fs::path& cgroupFile, const fs::path& mounted) {
  const std::optional<std::string> path = groupPathOf(textOf(cgroupFile, kMostBytes));
  if (!path) return unreported();
  std::error_code error;
  // Where both versions are in use, the tree of the second is mounted below.
  const fs::path both = mounted / "unified";
  const fs::path top = fs::exists(both / "cgroup.controllers", error) ? both : mounted;
  fs::path group = top / fs::path(*path).relative_path();
  if (!fs::exists(group / "memory.stat", error)) return unreported(UnknownReason::notSupported);
  GroupMemoryReading reading;
  if (const auto sockets = keyedValue(textOf(group / "memory.stat", kMostBytes), "sock")) {
    reading.sockets = Bytes(*sockets);
  }
  for (std::size_t level = 0; level < kMostLevels; ++level) {
    addLevel(reading, group);
    if (group == top || group == top / "") break;
    group = group.parent_path();
  }
  return reading;
}

}  // namespace tcpscope
