#include "app/remote/requested_events.h"

#include <algorithm>
#include <utility>

#include "core/model/loss_report.h"

namespace tcpscope {

namespace {

/// Of one dump's interval.
constexpr std::size_t kMostWaiting = 8'192;

bool isOfAnotherNamespace(const SourceEvent& event) {
  const auto report = lossReportOf(event);
  return report && report->isElsewhere;
}

/// The addresses alone: an agent has one place.
FourTuple addresses(const Endpoint& local, const Endpoint& remote) {
  return FourTuple::of(PlaceId{}, local, remote);
}

template <class Event>
void moveEvents(std::vector<Event>& from, std::vector<Event>& to, std::uint64_t& lost) {
  const std::size_t room = kMostWaiting - std::min(kMostWaiting, to.size());
  const std::size_t moved = std::min(room, from.size());
  to.insert(to.end(), std::move_iterator(from.begin()),
            std::move_iterator(from.begin() + static_cast<std::ptrdiff_t>(moved)));
  lost += from.size() - moved;
  from.clear();
}

}  // namespace

void RequestedEvents::note(const ObservationBatch& batch) {
  // Without a filter all are sent: nothing has to be known of a hundred thousand sockets.
  if (!m_isFiltered) return;
  for (const SocketObservation& socket : batch.changed) know(socket);
  for (const ClosedSocket& closed : batch.closed) {
    if (closed.last) know(*closed.last);
    m_closed.push_back(closed.id);
  }
}

void RequestedEvents::know(const SocketObservation& socket) {
  const auto [known, isNew] = m_tuples.try_emplace(socket.id, addresses(socket.local, socket.remote));
  if (isNew) ++m_sockets[known->second];
}

void RequestedEvents::forget(ConnectionId id) {
  const auto known = m_tuples.find(id);
  if (known == m_tuples.end()) return;
  const auto sockets = m_sockets.find(known->second);
  if (sockets != m_sockets.end() && --sockets->second == 0) m_sockets.erase(sockets);
  m_tuples.erase(known);
}

bool RequestedEvents::isKnown(const Endpoint& local, const Endpoint& remote) const {
  // A dropped packet has its source first, whichever end is here.
  return m_sockets.contains(addresses(local, remote)) || m_sockets.contains(addresses(remote, local));
}

void RequestedEvents::hold(ObservationBatch& batch) {
  std::erase_if(batch.events, isOfAnotherNamespace);
  if (!m_isFiltered) return;
  m_waiting.place = batch.place;
  moveEvents(batch.events, m_waiting.events, m_lost);
  moveEvents(batch.retransmissions, m_waiting.retransmissions, m_lost);
}

ObservationBatch RequestedEvents::release() {
  ObservationBatch released = std::exchange(m_waiting, {});
  const auto isUnasked = [this](const auto& event) { return !isKnown(event.local, event.remote); };
  if (m_isFiltered) {
    std::erase_if(released.events, isUnasked);
    std::erase_if(released.retransmissions, isUnasked);
  }
  if (m_lost > 0) released.gaps.push_back({released.place, GapKind::eventsLost, std::exchange(m_lost, 0)});
  for (const ConnectionId id : std::exchange(m_closed, {})) forget(id);
  return released;
}

}  // namespace tcpscope
