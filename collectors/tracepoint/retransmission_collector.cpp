#include "collectors/tracepoint/retransmission_collector.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace tcpscope {

namespace {

constexpr int kMillisecondsBetweenLooks = 100;

CapabilityReason reasonOf(int number) {
  if (number == EACCES || number == EPERM) return CapabilityReason::notPermitted;
  const bool isUnknown = number == ENOENT || number == ENOSYS || number == ENOTDIR;
  return isUnknown ? CapabilityReason::notSupported : CapabilityReason::failed;
}

/// The description fits into some pages.
Expected<std::string, int> readText(const std::filesystem::path& path) {
  constexpr std::size_t kMost = 65'536;
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return Unexpected<int>(errno);
  std::string text(kMost, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  const int failed = std::ferror(file) != 0 ? EIO : 0;
  std::fclose(file);
  if (failed != 0) return Unexpected<int>(failed);
  return text;
}

}  // namespace

Expected<std::unique_ptr<RetransmissionCollector>, CapabilityReason> RetransmissionCollector::open(
    PlaceId place, const std::filesystem::path& tracefs) {
  const auto text = readText(tracefs / "events/tcp/tcp_retransmit_skb/format");
  if (!text) return Unexpected<CapabilityReason>(reasonOf(text.error()));
  const auto layout = parseRetransmitFormat(*text);
  if (!layout) return Unexpected<CapabilityReason>(CapabilityReason::notSupported);
  std::vector<PerfRing> rings;
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  for (int processor = 0; processor < processors; ++processor) {
    auto ring = PerfRing::open(layout->id, processor);
    // A processor that is switched off sends nothing.
    if (!ring && ring.error() == ENODEV) continue;
    if (!ring) return Unexpected<CapabilityReason>(reasonOf(ring.error()));
    rings.push_back(std::move(*ring));
  }
  return std::unique_ptr<RetransmissionCollector>(new RetransmissionCollector(place, *layout, std::move(rings)));
}

void RetransmissionCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  ObservationBatch first;
  first.place = m_place;
  first.reportsRetransmissions = true;
  sink(std::move(first));
  while (!stop.stop_requested()) {
    pollfd entry{requests.wakeDescriptor(), POLLIN, 0};
    if (poll(&entry, 1, kMillisecondsBetweenLooks) > 0) requests.take();
    collect(sink);
  }
}

void RetransmissionCollector::collect(const ObservationSink& sink) {
  ObservationBatch batch;
  batch.place = m_place;
  batch.reportsRetransmissions = true;
  for (PerfRing& ring : m_rings) {
    m_lost += ring.drain([&](std::span<const std::byte> record, Moment at) {
      if (auto event = decodeRetransmit(m_layout, record, at)) batch.retransmissions.push_back(*event);
    });
  }
  if (batch.retransmissions.empty()) return;
  std::sort(batch.retransmissions.begin(), batch.retransmissions.end(),
            [](const RetransmissionEvent& a, const RetransmissionEvent& b) { return a.at < b.at; });
  if (m_lost > 0) batch.gaps.push_back({m_place, GapKind::queueFull, std::exchange(m_lost, 0)});
  const std::uint64_t events = batch.retransmissions.size();
  if (!sink(std::move(batch))) m_lost += events;
}

}  // namespace tcpscope
