#include "app/session/event_stream.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "collectors/bpf/loss_source.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/tracepoint/retransmission_collector.h"
#include "collectors/tracepoint/set_state_source.h"

namespace tcpscope {

namespace {

constexpr std::size_t kQueuedEvents = 131'072;
/// Longer than any source takes to report.
constexpr Nanoseconds kReportDelay = std::chrono::milliseconds(250);

std::optional<KernelEvent> lossOf(const SourceEvent& event) {
  auto report = lossReportOf(event);
  if (!report) return std::nullopt;
  const bool isDrop = event.kind == HistoryEventKind::localDrop;
  KernelEvent made{isDrop ? KernelEventKind::dropped : KernelEventKind::retransmitted, event.local, event.remote,
                   event.at};
  made.loss = std::move(report);
  return made;
}

}  // namespace

Expected<std::unique_ptr<EventStream>, SystemError> EventStream::open(const LocalPlace& place,
                                                                      ConnectionLog::ThreadNames names) {
  std::vector<std::unique_ptr<CollectorThread>> threads;
  Reported reported;
  for (std::unique_ptr<Collector>& source : openTracingSources(place)) {
    const std::string_view name = source->describe().name;
    reported.changes = reported.changes || name == SetStateSource::kDescription.name;
    reported.drops = reported.drops || name == LossSource::kDescription.name;
    reported.retransmissions =
        reported.retransmissions || reported.drops || name == RetransmissionCollector::kDescription.name;
    auto thread = CollectorThread::make(std::move(source), {});
    if (!thread) return Unexpected<SystemError>(thread.error());
    threads.push_back(std::move(*thread));
  }
  if (threads.empty()) return nullptr;
  std::unique_ptr<EventStream> stream(new EventStream(std::move(threads), reported, std::move(names)));
  for (const auto& thread : stream->m_threads) {
    auto started =
        thread->start([&queue = stream->m_queue](ObservationBatch&& batch) { return queue.push(std::move(batch)); });
    if (!started) return Unexpected<SystemError>(started.error());
  }
  return stream;
}

EventStream::EventStream(std::vector<std::unique_ptr<CollectorThread>> threads, Reported reported,
                         ConnectionLog::ThreadNames names)
    : m_reported(reported), m_queue(kQueuedEvents), m_log(std::move(names)), m_threads(std::move(threads)) {}

EventStream::~EventStream() {
  stop();
}

void EventStream::stop() {
  for (const auto& thread : m_threads) thread->requestStop();
  for (const auto& thread : m_threads) thread->join();
}

EventStream::Events EventStream::take() {
  return takeUntil(monotonicNow() - kReportDelay);
}

EventStream::Events EventStream::finish() {
  stop();
  return takeUntil(monotonicNow());
}

EventStream::Events EventStream::takeUntil(Moment until) {
  Events taken;
  for (const ObservationBatch& batch : m_queue.takeAll(BoundedQueue::Deadline())) {
    for (const CollectionGap& gap : batch.gaps) taken.lost += gap.count;
    for (const SourceEvent& event : batch.events) {
      if (auto made = lossOf(event)) {
        m_waiting.push_back(std::move(*made));
      } else if (auto logged = m_log.take(event)) {
        m_waiting.push_back(std::move(*logged));
      }
    }
    for (const RetransmissionEvent& event : batch.retransmissions) {
      m_waiting.push_back({KernelEventKind::retransmitted, event.local, event.remote, event.at, {}, {}, {}, {}});
    }
  }
  std::stable_sort(m_waiting.begin(), m_waiting.end(),
                   [](const KernelEvent& a, const KernelEvent& b) { return a.at < b.at; });
  const auto later = std::upper_bound(m_waiting.begin(), m_waiting.end(), until,
                                      [](Moment moment, const KernelEvent& event) { return moment < event.at; });
  taken.events.assign(std::make_move_iterator(m_waiting.begin()), std::make_move_iterator(later));
  m_waiting.erase(m_waiting.begin(), later);
  return taken;
}

}  // namespace tcpscope
