// The settings of a place as a collector: silent until one of them changes.
#pragma once

#include "collectors/host/settings_watch.h"
#include "collectors/source/collector.h"

namespace tcpscope {

class SettingsCollector final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"settings", "sysctls of TCP that change"};

  /// `now` is CLOCK_MONOTONIC.
  SettingsCollector(PlaceId place, SettingsWatch watch, std::function<Moment()> now)
      : m_place(place), m_watch(std::move(watch)), m_now(std::move(now)) {}

  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;

private:
  void reportChanges(const ObservationSink& sink);

  PlaceId m_place;
  SettingsWatch m_watch;
  std::function<Moment()> m_now;
  /// Seen and not yet reported: the sink may be full.
  std::vector<ChangeMark> m_unreported;
};

}  // namespace tcpscope
