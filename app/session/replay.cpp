#include "app/session/replay.h"

#include <poll.h>

#include <algorithm>

#include "collectors/system/monotonic_clock.h"
#include "core/base/invariant.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kQueueRetry = std::chrono::milliseconds(5);
/// Longer pauses are waited for in pieces, so that no sum of times overflows.
constexpr Nanoseconds kLongestWait = std::chrono::seconds(1);

void waitFor(Nanoseconds span, RequestSource& requests) {
  timespec timeout{};
  timeout.tv_nsec = std::min(span, kLongestWait - Nanoseconds(1)).count();
  pollfd entry{requests.wakeDescriptor(), POLLIN, 0};
  if (ppoll(&entry, 1, &timeout, nullptr) > 0) requests.take();
}

}  // namespace

void ReplayClock::endAt(Moment recorded) {
  const std::int64_t end = recorded.nanoseconds();
  std::int64_t latest = m_latestEndNs.load();
  while (latest < end && !m_latestEndNs.compare_exchange_weak(latest, end)) {
  }
  if (m_running.fetch_sub(1) == 1) m_endNs.store(m_latestEndNs.load());
}

bool ReplayCollector::waitUntil(Moment recorded, const std::stop_token& stop, RequestSource& requests) const {
  while (!stop.stop_requested()) {
    const Moment shown = m_clock->at(m_now());
    if (shown >= recorded) return true;
    waitFor(recorded - shown, requests);
  }
  return false;
}

void ReplayCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  Moment last = m_reader->hello().clock.monotonic;
  while (std::optional<TraceValue> value = m_reader->next()) {
    std::optional<ObservationBatch> batch = observationsOf(std::move(*value), m_reader->hello().place.id);
    if (!batch) continue;
    last = std::max(last, latestMoment(*batch).value_or(last));
    if (!waitUntil(last, stop, requests)) return;
    while (!sink(std::move(*batch))) {  // NOLINT(bugprone-use-after-move): refused, so untouched
      if (stop.stop_requested()) return;
      waitFor(kQueueRetry, requests);
    }
  }
  m_clock->endAt(last);
}

Expected<std::unique_ptr<LiveSession>, SystemError> openReplay(const std::filesystem::path& path,
                                                               const SessionControl& control) {
  return openReplay(std::span(&path, 1), control, PlaceId{0});
}

Expected<std::unique_ptr<LiveSession>, SystemError> openReplay(std::span<const std::filesystem::path> paths,
                                                               const SessionControl& control, PlaceId firstPlace) {
  TCPSCOPE_INVARIANT(!paths.empty());
  std::vector<std::unique_ptr<RecordingReader>> readers;
  std::uint32_t number = firstPlace.number;
  for (const std::filesystem::path& path : paths) {
    auto reader = RecordingReader::open(path, PlaceId{number++});
    if (!reader) return Unexpected<SystemError>(reader.error());
    readers.push_back(std::move(*reader));
  }
  const auto earliest = std::min_element(readers.begin(), readers.end(), [](const auto& one, const auto& other) {
    return one->hello().clock.monotonic < other->hello().clock.monotonic;
  });
  LiveSessionParts parts;
  parts.clock = (*earliest)->hello().clock;
  parts.now = monotonicNow;
  auto clock = std::make_shared<ReplayClock>(parts.clock.monotonic, monotonicNow(), static_cast<int>(readers.size()));
  parts.sessionTime = [clock] { return clock->at(monotonicNow()); };
  parts.budget.keepsEveryHistory = true;
  for (std::unique_ptr<RecordingReader>& reader : readers) {
    const Place place = reader->hello().place;
    parts.places.push_back(place);
    parts.collectors.push_back(
        {place.id, std::make_unique<ReplayCollector>(std::move(reader), clock, monotonicNow), true});
  }
  return LiveSession::start(std::move(parts), control);
}

}  // namespace tcpscope
