#include "app/lab/path/link.h"

#include <algorithm>
#include <cmath>

#include "app/lab/path/packet_header.h"
#include "app/lab/path/packet_too_big.h"

namespace tcpscope::lab {

namespace {

/// Each purpose on each link has random numbers of its own, so that more jitter does not move the losses.
enum class RandomPurpose : std::uint64_t { loss, duplication, early, jitter, reordering };

RandomStream randomOf(std::uint64_t seed, std::uint16_t link, RandomPurpose purpose) {
  return {seed, static_cast<std::uint64_t>(link) * 8 + static_cast<std::uint64_t>(purpose) + 1};
}

}  // namespace

Link::Link(std::uint16_t number, const LinkSettings& settings, std::uint64_t seed, PathEventSink sink)
    : m_number(number),
      m_settings(settings),
      m_sink(std::move(sink)),
      m_loss(settings.loss, randomOf(seed, number, RandomPurpose::loss)),
      m_early(randomOf(seed, number, RandomPurpose::early)),
      m_duplication(randomOf(seed, number, RandomPurpose::duplication)),
      m_jitter(randomOf(seed, number, RandomPurpose::jitter)),
      m_reordering(randomOf(seed, number, RandomPurpose::reordering)) {}

void Link::change(const LinkSettings& settings, Moment now) {
  transmitUntil(now);
  const std::optional<BitsPerSecond> before = m_settings.rate;
  m_settings = settings;
  m_loss.change(settings.loss);
  if (!m_transmitted) return;
  if (m_settings.rate && !std::holds_alternative<Policer>(m_settings.queue.discipline)) {
    // The part that is not sent yet goes on at the new rate.
    const double share = before->value() / m_settings.rate->value();
    const auto rest = static_cast<double>((m_transmissionEnds - now).count());
    m_transmissionEnds = now + Nanoseconds(std::llround(rest * share));
    return;
  }
  propagate(std::move(*m_transmitted), now);
  m_transmitted.reset();
  while (!m_waiting.empty()) propagate(m_waiting.pop(), now);
  m_waitingBytes = Bytes();
}

std::optional<std::vector<std::uint8_t>> Link::accept(Packet packet, Moment now) {
  transmitUntil(now);
  m_counters.packetsIn += Count(1);
  m_counters.bytesIn += Bytes(packet.size());
  if (isBroken(now)) {
    drop(packet, PathEventKind::breakDrop, now);
    return std::nullopt;
  }
  if (m_settings.mtu && packet.size() > m_settings.mtu->value()) {
    drop(packet, PathEventKind::mtuDrop, now);
    if (m_settings.mtuIsSilent) return std::nullopt;
    return packetTooBigMessage(packet.bytes(), *m_settings.mtu);
  }
  const std::optional<PacketHeader> header = readPacketHeader(packet.bytes());
  const bool hasPayload = header && header->payloadBytes > 0;
  if ((hasPayload || !m_settings.lossSparesControl) && m_loss.isLost(hasPayload)) {
    drop(packet, PathEventKind::randomLoss, now);
    return std::nullopt;
  }
  if (m_settings.duplicationRatio > 0.0 && m_duplication.happens(m_settings.duplicationRatio)) {
    record(packet, PathEventKind::duplicate, now);
    m_counters.duplicates += Count(1);
    enqueue(packet.copy(), now);
  }
  enqueue(std::move(packet), now);
  return std::nullopt;
}

bool Link::isBroken(Moment now) {
  if (!m_firstPacketAt) m_firstPacketAt = now;
  return m_settings.breaksAfter && now >= *m_firstPacketAt + *m_settings.breaksAfter;
}

void Link::enqueue(Packet packet, Moment now) {
  if (!m_settings.rate) {
    propagate(std::move(packet), now);
  } else if (std::holds_alternative<Policer>(m_settings.queue.discipline)) {
    police(std::move(packet), now);
  } else if (isAdmitted(packet, now)) {
    if (!m_transmitted) {
      transmit(std::move(packet), now);
      return;
    }
    m_waitingBytes += Bytes(packet.size());
    m_counters.queuePeak = std::max(m_counters.queuePeak, m_waitingBytes);
    m_waiting.push(std::move(packet));
  }
}

void Link::police(Packet packet, Moment now) {
  if (m_policer.take(Bytes(packet.size()), *m_settings.rate, m_settings.queue.limit, now)) {
    propagate(std::move(packet), now);
  } else {
    drop(packet, PathEventKind::policerDrop, now);
  }
}

bool Link::isAdmitted(Packet& packet, Moment now) {
  EarlyVerdict verdict = EarlyVerdict::pass;
  if (const auto* early = std::get_if<RandomEarlyDetection>(&m_settings.queue.discipline)) {
    verdict = m_early.judge(*early, m_waitingBytes, *m_settings.rate, now);
  }
  if (m_transmitted && m_waitingBytes + Bytes(packet.size()) > m_settings.queue.limit) {
    drop(packet, PathEventKind::queueDrop, now);
    return false;
  }
  if (verdict == EarlyVerdict::pass || (verdict == EarlyVerdict::signal && signalCongestion(packet, now))) return true;
  drop(packet, PathEventKind::earlyDrop, now);
  return false;
}

/// Marks the packet where it may be marked; false where it must be dropped instead.
bool Link::signalCongestion(Packet& packet, Moment now) {
  if (!std::get<RandomEarlyDetection>(m_settings.queue.discipline).marksEcn) return false;
  const std::optional<PacketHeader> header = readPacketHeader(packet.bytes());
  if (!header || header->ecn == EcnCodepoint::notCapable) return false;
  if (header->ecn == EcnCodepoint::congestionExperienced) return true;
  markCongestionExperienced(packet.bytes());
  m_counters.marks += Count(1);
  record(packet, PathEventKind::ecnMark, now);
  return true;
}

Nanoseconds Link::transmissionTime(const Packet& packet) const {
  return Nanoseconds(std::llround(static_cast<double>(packet.size()) * 8e9 / m_settings.rate->value()));
}

void Link::transmit(Packet packet, Moment now) {
  m_transmissionEnds = now + transmissionTime(packet);
  m_transmitted = std::move(packet);
}

void Link::transmitUntil(Moment now) {
  while (m_transmitted && m_transmissionEnds <= now) {
    const Moment ended = m_transmissionEnds;
    propagate(std::move(*m_transmitted), ended);
    m_transmitted.reset();
    if (m_waiting.empty()) {
      m_early.becameIdle(ended);
      return;
    }
    Packet next = m_waiting.pop();
    m_waitingBytes -= Bytes(next.size());
    transmit(std::move(next), ended);
  }
}

void Link::propagate(Packet packet, Moment now) {
  Moment leaves = now + m_settings.delay;
  if (m_settings.jitter.count() > 0) leaves = leaves + m_jitter.upTo(m_settings.jitter);
  const bool isReordered = m_settings.reorderingRatio > 0.0 && m_reordering.happens(m_settings.reorderingRatio);
  if (isReordered) {
    record(packet, PathEventKind::reordered, now);
    leaves = leaves + m_settings.reorderingDelay;
  }
  RingQueue<Departure>& queue = isReordered ? m_reordered : m_inOrder;
  if (!queue.empty()) leaves = std::max(leaves, queue.back().at);
  queue.push({std::move(packet), leaves});
}

std::optional<Departure> Link::release(Moment now) {
  transmitUntil(now);
  RingQueue<Departure>* earliest = nullptr;
  for (RingQueue<Departure>* queue : {&m_inOrder, &m_reordered}) {
    if (queue->empty() || queue->front().at > now) continue;
    if (earliest == nullptr || queue->front().at < earliest->front().at) earliest = queue;
  }
  if (earliest == nullptr) return std::nullopt;
  Departure departure = earliest->pop();
  m_counters.packetsOut += Count(1);
  m_counters.bytesOut += Bytes(departure.packet.size());
  return departure;
}

std::optional<Moment> Link::nextRelease() const {
  std::optional<Moment> next;
  const auto notAfter = [&next](Moment moment) { next = next ? std::min(*next, moment) : moment; };
  if (!m_inOrder.empty()) notAfter(m_inOrder.front().at);
  if (!m_reordered.empty()) notAfter(m_reordered.front().at);
  if (m_transmitted) notAfter(m_transmissionEnds + m_settings.delay);
  return next;
}

LinkCounters Link::counters() const {
  LinkCounters counters = m_counters;
  counters.packetsInside = Count(m_waiting.size() + (m_transmitted ? 1 : 0) + m_inOrder.size() + m_reordered.size());
  return counters;
}

void Link::drop(const Packet& packet, PathEventKind kind, Moment now) {
  m_counters.drops += Count(1);
  record(packet, kind, now);
}

void Link::record(const Packet& packet, PathEventKind kind, Moment now) const {
  if (m_sink) m_sink(pathEvent(kind, m_number, packet.bytes(), now));
}

}  // namespace tcpscope::lab
