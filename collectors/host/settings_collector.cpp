#include "collectors/host/settings_collector.h"

#include <poll.h>

namespace tcpscope {

void SettingsCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  constexpr int kMillisecondsBetweenLooks = 1000;
  while (!stop.stop_requested()) {
    pollfd entry{requests.wakeDescriptor(), POLLIN, 0};
    if (poll(&entry, 1, kMillisecondsBetweenLooks) > 0) {
      requests.take();
    } else {
      look(sink);
    }
  }
}

void SettingsCollector::look(const ObservationSink& sink) {
  for (ChangeMark& change : m_watch.look(m_now())) m_untold.push_back(std::move(change));
  if (m_untold.empty()) return;
  ObservationBatch batch;
  batch.place = m_place;
  batch.settings = std::make_shared<const SysctlValues>(sysctlValues(m_watch.facts()));
  batch.changeMarks = m_untold;
  if (sink(std::move(batch))) m_untold.clear();
}

}  // namespace tcpscope
