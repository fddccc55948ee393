#include "collectors/sock_diag/batch_assembler.h"

#include <utility>

namespace tcpscope {

SocketObservation& BatchAssembler::add(SocketTable::Slot slot) {
  if (m_batch.changed.capacity() == 0) m_batch.changed.reserve(m_capacity);
  m_slots.push_back(slot);
  return m_batch.changed.emplace_back();
}

void BatchAssembler::dropLast() {
  m_slots.pop_back();
  m_batch.changed.pop_back();
}

void BatchAssembler::addClosed(const ClosedSocket& closed) {
  if (hasSpaceForClosed()) m_batch.closed.push_back(closed);
}

void BatchAssembler::flush(const ObservationSink& sink, GapCounts& gaps, SocketTable& table,
                           std::optional<Moment> dumpEndedAt) {
  ObservationBatch batch = std::exchange(m_batch, ObservationBatch());
  m_batch.place = batch.place;
  batch.gaps = gaps.take(batch.place);
  batch.dumpEndedAt = dumpEndedAt;
  if (!sink(std::move(batch))) takeBack(batch, gaps, table);  // NOLINT(bugprone-use-after-move): refused, so untouched
  m_slots.clear();
}

void BatchAssembler::takeBack(ObservationBatch& refused, GapCounts& gaps, SocketTable& table) {
  gaps.add(GapKind::queueFull);
  for (const CollectionGap& gap : refused.gaps) gaps.add(gap.kind, gap.count);
  for (const SocketTable::Slot slot : m_slots) table.forgetDigest(slot);
  m_batch.closed = std::move(refused.closed);
  m_batch.unchanged = refused.unchanged;
}

}  // namespace tcpscope
