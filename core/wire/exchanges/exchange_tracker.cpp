#include "core/wire/exchanges/exchange_tracker.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Receivers delay acknowledgments by 40 ms at least on Linux (TCP_DELACK_MIN), others by up to 200 ms.
constexpr Nanoseconds kDelayedAck = std::chrono::milliseconds(35);

std::uint32_t endOf(const PacketSample& packet) {
  return packet.sequence + packet.payloadBytes;
}

/// Of so many waits together what the path takes, with so much for each; never more than all of them.
Nanoseconds partOfPath(Nanoseconds each, std::uint64_t count, Nanoseconds waits) {
  if (count == 0) return Nanoseconds::zero();
  const auto waited = static_cast<std::int64_t>(count);
  return each > waits / waited ? waits : each * waited;
}

}  // namespace

ExchangeTracker::Record& ExchangeTracker::record(const CaptureConnection& connection) {
  if (!m_record) {
    m_record = std::make_unique<Record>();
    m_record->client = connection.initiator();
  }
  return *m_record;
}

void ExchangeTracker::takeData(const PacketSample& packet, const FlowPacket& taken) {
  // A clock that was set back makes no time negative.
  const WallTime at = m_isStarted ? std::max(packet.time, m_turn.to) : packet.time;
  if (!m_isStarted || taken.side != m_side) {
    beginTurn(packet, taken, at);
  } else {
    noteDelayedPiece(taken, at);
  }
  m_turn.to = at;
  m_turn.lastPacket = packet.number;
  m_turn.sequenceEnd = endOf(packet);
  m_awaitsAck = packet.payloadBytes < taken.connection->segmentBytes(taken.side);
  m_delayedAckAt = WallTime();
}

void ExchangeTracker::takeAcknowledgment(WallTime time) {
  if (time - m_turn.to >= kDelayedAck && m_delayedAckAt == WallTime()) m_delayedAckAt = time;
}

void ExchangeTracker::noteDelayedPiece(const FlowPacket& taken, WallTime at) {
  if (m_delayedAckAt == WallTime()) return;
  // What the acknowledgment released follows it after the time that the sender's end needs to answer, and not before.
  constexpr Nanoseconds kAtOnce = std::chrono::milliseconds(5);
  const Nanoseconds answer = taken.connection->answerDelay(taken.side).value_or(Nanoseconds::zero());
  const Nanoseconds since = at - m_delayedAckAt;
  if (since < answer * 9 / 10 || since > answer * 5 / 4 + kAtOnce) return;
  Record& all = record(*taken.connection);
  if (taken.side != all.client) return;
  ++all.delayedPieces;
  all.delayedPieceTime += at - m_turn.to;
}

void ExchangeTracker::beginTurn(const PacketSample& packet, const FlowPacket& taken, WallTime at) {
  if (m_isStarted) {
    Record& all = record(*taken.connection);
    all.turns[m_side].transfers += m_turn.to - m_turn.from;
    const bool answersAll = packet.flags.ack() && !isBefore(packet.acknowledgment, m_turn.sequenceEnd);
    if (answersAll) {
      const Nanoseconds wait = at - m_turn.to;
      Turns& own = all.turns[taken.side];
      ++own.count;
      own.waits += wait;
      if (taken.side != all.client) noteResponse(packet, wait, at);
    } else {
      ++all.overlapping;
    }
  }
  m_isStarted = true;
  m_side = taken.side;
  m_turn.from = at;
}

void ExchangeTracker::noteResponse(const PacketSample& packet, Nanoseconds wait, WallTime at) {
  m_record->responses.add(wait);
  auto& slowest = m_record->slowest;
  if (slowest.size() == kSlowestKept && wait <= slowest.back().response) return;
  const auto slower = [wait](const SlowExchange& one) { return wait > one.response; };
  slowest.insert(std::find_if(slowest.begin(), slowest.end(), slower),
                 {m_turn.from, at, wait, m_turn.lastPacket, packet.number});
  if (slowest.size() > kSlowestKept) slowest.pop_back();
}

std::optional<ExchangeSummary> ExchangeTracker::summary(const CaptureConnection& connection) const {
  // A SYN that came late may have shown that the ends were taken for each other.
  if (!m_record || m_record->client != connection.initiator()) return std::nullopt;
  const FlowSide client = m_record->client;
  const auto server = static_cast<FlowSide>(1 - client);
  const Turns& requests = m_record->turns[client];
  const Turns& responses = m_record->turns[server];
  // Where a good part of the turns overlaps, which data answers which is not known.
  constexpr std::uint64_t kOneIn = 5;
  const auto toServer = connection.answerDelay(server);
  const auto toClient = connection.answerDelay(client);
  if (responses.count == 0 || m_record->overlapping * kOneIn > responses.count || !toServer) return std::nullopt;
  const auto withoutPath = [&](Nanoseconds wait) { return std::max(wait - *toServer, Nanoseconds::zero()); };
  ExchangeSummary summary;
  summary.count = responses.count;
  summary.server = responses.waits - partOfPath(*toServer, responses.count, responses.waits);
  summary.client = requests.waits - partOfPath(toClient.value_or(Nanoseconds::zero()), requests.count, requests.waits);
  summary.network = responses.waits + requests.waits - summary.server - summary.client;
  // The last turn is not over: what it has taken so far counts.
  const Nanoseconds open = m_turn.to - m_turn.from;
  summary.requestTransfer = requests.transfers + (m_side == client ? open : Nanoseconds::zero());
  summary.responseTransfer = responses.transfers + (m_side == server ? open : Nanoseconds::zero());
  summary.responseMedian = withoutPath(m_record->responses.quantile(0.5).value_or(Nanoseconds::zero()));
  summary.responseP95 = withoutPath(m_record->responses.quantile(0.95).value_or(Nanoseconds::zero()));
  summary.responseMax = withoutPath(m_record->responses.max().value_or(Nanoseconds::zero()));
  summary.slowest = m_record->slowest;
  for (SlowExchange& one : summary.slowest) one.response = withoutPath(one.response);
  summary.delayedPieces = m_record->delayedPieces;
  summary.delayedPieceTime = m_record->delayedPieceTime;
  return summary;
}

std::size_t ExchangeTracker::residentBytes() const {
  if (!m_record) return 0;
  return sizeof(Record) + m_record->responses.residentBytes() + m_record->slowest.capacity() * sizeof(SlowExchange);
}

}  // namespace tcpscope
