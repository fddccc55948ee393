#include "app/session/event_stream.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/tracepoint/set_state_source.h"

namespace tcpscope {

namespace {

constexpr std::size_t kQueuedEvents = 131'072;

}  // namespace

Expected<std::unique_ptr<EventStream>, SystemError> EventStream::open(const LocalPlace& place) {
  std::vector<std::unique_ptr<CollectorThread>> threads;
  bool hasChanges = false;
  for (std::unique_ptr<Collector>& source : openTracingSources(place)) {
    hasChanges = hasChanges || source->describe().name == SetStateSource::kDescription.name;
    auto thread = CollectorThread::make(std::move(source), {});
    if (!thread) return Unexpected<SystemError>(thread.error());
    threads.push_back(std::move(*thread));
  }
  if (!hasChanges) return nullptr;
  std::unique_ptr<EventStream> stream(new EventStream(std::move(threads)));
  for (const auto& thread : stream->m_threads) {
    auto started =
        thread->start([&queue = stream->m_queue](ObservationBatch&& batch) { return queue.push(std::move(batch)); });
    if (!started) return Unexpected<SystemError>(started.error());
  }
  return stream;
}

EventStream::EventStream(std::vector<std::unique_ptr<CollectorThread>> threads)
    : m_queue(kQueuedEvents), m_threads(std::move(threads)) {}

EventStream::~EventStream() {
  for (const auto& thread : m_threads) thread->requestStop();
  for (const auto& thread : m_threads) thread->join();
}

EventStream::Events EventStream::take() {
  Events taken;
  for (const ObservationBatch& batch : m_queue.takeAll(BoundedQueue::Deadline())) {
    for (const CollectionGap& gap : batch.gaps) taken.lost += gap.count;
    for (const SourceEvent& event : batch.events) {
      if (auto made = m_log.take(event)) taken.events.push_back(*made);
    }
    for (const RetransmissionEvent& event : batch.retransmissions) {
      taken.events.push_back({KernelEventKind::retransmitted, event.local, event.remote, event.at, {}, {}});
    }
  }
  std::stable_sort(taken.events.begin(), taken.events.end(),
                   [](const KernelEvent& a, const KernelEvent& b) { return a.at < b.at; });
  return taken;
}

}  // namespace tcpscope
