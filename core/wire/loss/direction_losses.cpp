#include "core/wire/loss/direction_losses.h"

namespace tcpscope {

namespace {

/// The loss statistics only measure between times, so that any clock that does not jump will do.
Moment momentOf(WallTime time) {
  return Moment::fromNanoseconds(time.nanoseconds());
}

}  // namespace

std::uint64_t DirectionLosses::unwrapped(std::uint32_t position) const {
  const auto step = static_cast<std::int32_t>(position - static_cast<std::uint32_t>(m_packets));
  const std::int64_t whole = static_cast<std::int64_t>(m_packets) + step;
  return whole < 0 ? 0 : static_cast<std::uint64_t>(whole);
}

void DirectionLosses::addSent(const SegmentRole& role, WallTime time) {
  const std::uint64_t end = unwrapped(role.position) + role.packets;
  if (end <= m_packets) return;
  const std::uint64_t added = end - m_packets;
  if (m_record == nullptr && end <= kFirstPackets) {
    while (m_packets < end) m_first.at(m_packets++) = time;
    return;
  }
  if (m_record == nullptr) beginRecord();
  m_record->addSent(momentOf(time), static_cast<std::uint32_t>(added));
  m_packets = end;
}

void DirectionLosses::beginRecord() {
  m_record = std::make_unique<LossRecord>();
  for (std::uint64_t packet = 0; packet < m_packets; ++packet) {
    m_record->addSent(momentOf(m_first.at(packet)));
  }
}

void DirectionLosses::addLost(const Retransmission& again) {
  if (!again.before) return;
  if (m_record == nullptr) beginRecord();
  const std::uint64_t first = unwrapped(again.before->position);
  // What never passed has no place of its own: segments of other sizes than supposed may come to the same one.
  const std::uint64_t beyond = again.originalWasSeen ? first + again.before->packets : m_packets;
  std::uint64_t position = first;
  for (std::uint32_t packet = 0; packet < again.before->packets && position < beyond; ++position) {
    const Loss loss{momentOf(again.before->time), position,
                    again.originalWasSeen ? rttBefore(again.before->time) : std::nullopt};
    const bool isNew = m_record->addLoss(loss);
    if (isNew || again.originalWasSeen) ++packet;
  }
}

void DirectionLosses::takeBack(const Retransmission& again) {
  if (m_record == nullptr) beginRecord();
  // A timer fires when acknowledgments come late, whatever the order of the packets.
  const bool showsReordering = !again.isByTimer();
  if (!again.before) {
    if (showsReordering) m_record->addSpurious(std::nullopt);
    return;
  }
  const std::uint64_t first = unwrapped(again.before->position);
  for (std::uint32_t packet = 0; packet < again.before->packets; ++packet) {
    showsReordering ? m_record->addSpurious(first + packet) : m_record->removeLoss(first + packet);
  }
}

std::optional<Nanoseconds> DirectionLosses::rttBefore(WallTime sentAt) const {
  // What was lost first has its neighbour in front acknowledged before anything else; of what was lost an RTT later
  // that one says nothing.
  const Nanoseconds since = sentAt - m_lastInOrder.sentAt;
  const bool isNear = since >= Nanoseconds::zero() && since <= m_lastInOrder.value;
  return isNear ? std::optional(m_lastInOrder.value) : std::nullopt;
}

LossSummary DirectionLosses::summarize(std::optional<Nanoseconds> rtt, std::optional<RttSpread> spread) const {
  if (m_record != nullptr) return summarizeLosses(*m_record, rtt, spread);
  LossRecord losses;
  for (std::uint64_t packet = 0; packet < m_packets; ++packet) losses.addSent(momentOf(m_first.at(packet)));
  return summarizeLosses(losses, rtt, spread);
}

std::size_t DirectionLosses::residentBytes() const {
  if (m_record == nullptr) return 0;
  constexpr std::size_t kBytesPerLoss = sizeof(Loss) + 40;
  return sizeof(LossRecord) + m_record->sent().times().size() * sizeof(Moment) +
         m_record->lostPackets() * kBytesPerLoss;
}

}  // namespace tcpscope
