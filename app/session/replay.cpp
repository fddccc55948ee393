#include "app/session/replay.h"

#include <poll.h>

#include <algorithm>

#include "collectors/sock_diag/netlink_socket.h"

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
    auto* batch = std::get_if<ObservationBatch>(&*value);
    if (batch == nullptr) continue;
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
  auto reader = RecordingReader::open(path, PlaceId{0});
  if (!reader) return Unexpected<SystemError>(reader.error());
  const TraceHello hello = (*reader)->hello();
  auto clock = std::make_shared<ReplayClock>(hello.clock.monotonic, monotonicNow());
  LiveSessionParts parts;
  parts.places = {hello.place};
  parts.clock = hello.clock;
  parts.now = monotonicNow;
  parts.sessionTime = [clock] { return clock->at(monotonicNow()); };
  parts.budget.keepsEveryHistory = true;
  parts.collectors.push_back(
      {hello.place.id, std::make_unique<ReplayCollector>(std::move(*reader), clock, monotonicNow), true});
  return LiveSession::start(std::move(parts), control);
}

}  // namespace tcpscope
