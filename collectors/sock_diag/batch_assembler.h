// Gathers what goes into the next batch, so that memory stays bounded however large a dump is.
//
// A refused batch costs no truth: its sockets count as changed at the next dump, its closed sockets and gaps wait for
// the next batch.
#pragma once

#include <optional>
#include <vector>

#include "collectors/sock_diag/gap_counts.h"
#include "collectors/sock_diag/socket_table.h"
#include "collectors/source/collector.h"

namespace tcpscope {

class BatchAssembler {
public:
  /// `mostClosedKept`: what waits after a refusal is bounded too.
  BatchAssembler(PlaceId place, std::size_t capacity, std::size_t mostClosedKept)
      : m_capacity(capacity), m_mostClosedKept(mostClosedKept) {
    m_batch.place = place;
  }

  /// A fresh observation of the batch, to be filled; it belongs to `slot` of the table.
  SocketObservation& add(SocketTable::Slot slot);
  /// Takes back the last one.
  void dropLast();
  /// What does not fit is left out.
  void addClosed(const ClosedSocket& closed);
  [[nodiscard]] bool hasSpaceForClosed() const { return m_batch.closed.size() < m_mostClosedKept; }
  void countUnchanged(std::uint64_t count = 1) { m_batch.unchanged += count; }
  [[nodiscard]] bool isFull() const {
    return m_batch.changed.size() >= m_capacity || m_batch.closed.size() >= m_capacity;
  }
  [[nodiscard]] bool isEmpty() const { return m_batch.changed.empty() && m_batch.closed.empty(); }

  /// Hands the batch on with the gaps counted so far. `dumpEndedAt` marks the last batch of a dump.
  void flush(const ObservationSink& sink, GapCounts& gaps, SocketTable& table, std::optional<Moment> dumpEndedAt);

private:
  void takeBack(ObservationBatch& refused, GapCounts& gaps, SocketTable& table);

  std::size_t m_capacity;
  std::size_t m_mostClosedKept;
  ObservationBatch m_batch;
  std::vector<SocketTable::Slot> m_slots;
};

}  // namespace tcpscope
