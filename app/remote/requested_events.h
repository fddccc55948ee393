// Which single events of the kernel an agent sends: those of its place; under a filter, those of the connections that
// its dumps reported.
//
// The kernel reports losses of the whole host. Under a filter they wait for the end of the next dump, which reports the
// connection where the filter lets it pass: what was not asked for is neither sent nor recorded.
#pragma once

#include <unordered_map>

#include "core/session/four_tuple.h"

namespace tcpscope {

class RequestedEvents {
public:
  /// Before the first dump: what was reported without a filter is not known.
  void setFiltered(bool isFiltered) { m_isFiltered = isFiltered; }
  /// What a dump reported.
  void note(const ObservationBatch& batch);
  /// Takes out of the batch what may not be sent, and what has to wait.
  void hold(ObservationBatch& batch);
  /// At the end of a dump: what waited and may be sent.
  ObservationBatch release();

private:
  void know(const SocketObservation& socket);
  void forget(ConnectionId id);
  [[nodiscard]] bool isKnown(const Endpoint& local, const Endpoint& remote) const;

  bool m_isFiltered = false;
  std::unordered_map<ConnectionId, FourTuple> m_tuples;
  /// How many sockets have these addresses: TIME-WAIT takes those of its connection.
  std::unordered_map<FourTuple, std::size_t> m_sockets;
  /// Forgotten with the next release: their last events may still wait.
  std::vector<ConnectionId> m_closed;
  ObservationBatch m_waiting;
  /// Events that there was no room for.
  std::uint64_t m_lost = 0;
};

}  // namespace tcpscope
