#include "collectors/host/settings_collector.h"

#include <poll.h>

namespace tcpscope {

void SettingsCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  constexpr int kPollIntervalMs = 1000;
  while (!stop.stop_requested()) {
    pollfd entry{requests.wakeDescriptor(), POLLIN, 0};
    if (poll(&entry, 1, kPollIntervalMs) > 0) {
      requests.take();
    } else {
      reportChanges(sink);
    }
  }
}

void SettingsCollector::reportChanges(const ObservationSink& sink) {
  for (ChangeMark& change : m_watch.poll(m_now())) m_unreported.push_back(std::move(change));
  if (m_unreported.empty()) return;
  ObservationBatch batch;
  batch.place = m_place;
  batch.settings = std::make_shared<const SysctlValues>(sysctlValues(m_watch.facts()));
  batch.changeMarks = m_unreported;
  if (sink(std::move(batch))) m_unreported.clear();
}

}  // namespace tcpscope
