// A recording played at the speed at which it was made: a collector that hands out each batch when its moment has come
// on a clock that starts where the recording starts and stops where it ends.
//
// Views see the same as when it happened; every connection keeps its full history, since one looks at it later.
#pragma once

#include <atomic>
#include <span>

#include "app/session/live_session.h"
#include "collectors/trace/recording_reader.h"

namespace tcpscope {

/// The recording's time. May be read from any thread.
class ReplayClock {
public:
  /// `recorded` is the moment that is shown now, `now` CLOCK_MONOTONIC of this host; so many recordings run by it.
  ReplayClock(Moment recorded, Moment now, int recordings = 1) : m_ahead(recorded - now), m_running(recordings) {}

  [[nodiscard]] Moment at(Moment now) const {
    return std::min(now + m_ahead, Moment::fromNanoseconds(m_endNs.load(std::memory_order_relaxed)));
  }
  /// One of the recordings ends here: the clock stops where the last of them does.
  void endAt(Moment recorded);

private:
  Nanoseconds m_ahead;
  std::atomic<int> m_running;
  std::atomic<std::int64_t> m_latestEndNs = std::numeric_limits<std::int64_t>::min();
  std::atomic<std::int64_t> m_endNs = std::numeric_limits<std::int64_t>::max();
};

class ReplayCollector final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"replay", "A recording, at the speed at which it was made"};

  ReplayCollector(std::unique_ptr<RecordingReader> reader, std::shared_ptr<ReplayClock> clock,
                  std::function<Moment()> now)
      : m_reader(std::move(reader)), m_clock(std::move(clock)), m_now(std::move(now)) {}

  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  /// Returns at the end of the recording. What is requested changes nothing: it is over.
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;

private:
  /// False when a stop came first.
  bool waitUntil(Moment recorded, const std::stop_token& stop, RequestSource& requests) const;

  std::unique_ptr<RecordingReader> m_reader;
  std::shared_ptr<ReplayClock> m_clock;
  std::function<Moment()> m_now;
};

/// The recording as the one place of a session.
Expected<std::unique_ptr<LiveSession>, SystemError> openReplay(const std::filesystem::path& path,
                                                               const SessionControl& control);
/// Recordings that were made at the same time, each a place, numbered from `firstPlace` on. Moments of all are taken to
/// be of one clock: those of another boot are shown at the wrong time.
Expected<std::unique_ptr<LiveSession>, SystemError> openReplay(std::span<const std::filesystem::path> paths,
                                                               const SessionControl& control, PlaceId firstPlace);

}  // namespace tcpscope
