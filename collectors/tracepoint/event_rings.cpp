#include "collectors/tracepoint/event_rings.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace tcpscope {

namespace {

constexpr int kPollIntervalMs = 250;

CapabilityReason traceFailure(int number) {
  if (number == EACCES || number == EPERM) return CapabilityReason::notPermitted;
  const bool isUnknown = number == ENOENT || number == ENOSYS || number == ENOTDIR;
  return isUnknown ? CapabilityReason::notSupported : CapabilityReason::failed;
}

}  // namespace

Expected<std::string, CapabilityReason> readEventFormat(const std::filesystem::path& tracefs, std::string_view event) {
  // A description takes a few pages.
  constexpr std::size_t kMost = 65'536;
  const std::filesystem::path path = tracefs / "events" / event / "format";
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return Unexpected<CapabilityReason>(traceFailure(errno));
  std::string text(kMost, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  const bool hasFailed = std::ferror(file) != 0;
  std::fclose(file);
  if (hasFailed) return Unexpected<CapabilityReason>(CapabilityReason::failed);
  return text;
}

Expected<EventRings, CapabilityReason> EventRings::open(std::uint64_t event) {
  std::vector<PerfRing> rings;
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  for (int processor = 0; processor < processors; ++processor) {
    auto ring = PerfRing::open(event, processor);
    // A processor that is offline produces no records.
    if (!ring && ring.error() == ENODEV) continue;
    if (!ring) return Unexpected<CapabilityReason>(traceFailure(ring.error()));
    rings.push_back(std::move(*ring));
  }
  return EventRings(std::move(rings));
}

std::uint64_t EventRings::drain(const TraceRecordSink& sink) {
  std::uint64_t lost = 0;
  for (PerfRing& ring : m_rings) lost += ring.drain(sink);
  return lost;
}

void EventRings::pollUntil(const std::stop_token& stop, RequestSource& requests,
                           const std::function<void()>& poll) const {
  std::vector<pollfd> entries{{requests.wakeDescriptor(), POLLIN, 0}};
  for (const PerfRing& ring : m_rings) entries.push_back({ring.descriptor(), POLLIN, 0});
  while (!stop.stop_requested()) {
    if (::poll(entries.data(), entries.size(), kPollIntervalMs) > 0 && entries.front().revents != 0) requests.take();
    poll();
  }
}

}  // namespace tcpscope
