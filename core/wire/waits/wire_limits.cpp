#include "core/wire/waits/wire_limits.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tcpscope {

namespace {

/// A sender answers an acknowledgment at once; it may gather a millisecond's worth, and a busy host takes its time.
constexpr Nanoseconds kShortestAnswer = std::chrono::milliseconds(1);
constexpr Nanoseconds kLongestAnswer = std::chrono::milliseconds(10);
constexpr int kAnswersPerRtt = 4;
/// No stack's timer is set to less; on a short path several RTTs may pass between what a timeout goes over again.
constexpr Nanoseconds kShortestTimer = std::chrono::milliseconds(10);
/// A sender that sends at each of them seldom lets so many pass. Measured, the part of the data that was acknowledged
/// so: 0.79 and more with a small send buffer (0.32 where its bursts overflow a queue), 0.22 and less for other
/// senders, but 0.5 in one transfer of a few flights.
constexpr std::uint8_t kSeveral = 6;

bool carriesStream(SegmentKind kind) {
  return kind == SegmentKind::newData || kind == SegmentKind::retransmission || kind == SegmentKind::outOfOrder ||
         kind == SegmentKind::filledHole;
}

std::uint16_t atMostASegment(std::uint32_t bytes) {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(bytes, std::numeric_limits<std::uint16_t>::max()));
}

bool isAgain(SegmentKind kind) {
  return kind == SegmentKind::retransmission || kind == SegmentKind::filledHole;
}

}  // namespace

void WireLimits::takeSegment(const PacketSample& packet, const FlowPacket& taken) {
  const SegmentRole& role = taken.role.segment;
  if (!carriesStream(role.kind) || m_isOver) return;
  if (packet.payloadBytes == 0) {
    // After its FIN an end has nothing to wait for.
    if (packet.flags.fin() && m_hasData) {
      passDelayed(packet.time);
      account(packet.time);
      endHeld(Nanoseconds::zero());
      m_isOver = true;
      m_endIsKnown = role.range.begin <= m_highest;
      resolve(packet.time);
      m_delay.release();
    }
    return;
  }
  if (!m_hasData) begin(packet, *taken.connection, taken.side);
  if (m_delayToSender > Nanoseconds::zero()) {
    followQueues(packet, *taken.connection, taken.side);
  }
  m_segmentBytes = atMostASegment(taken.connection->segmentBytes(taken.side));
  passDelayed(packet.time);
  account(packet.time);
  if (isAgain(role.kind)) [[unlikely]] {
    noteRepair(role.cause, packet.time);
  }
  keepHeld();
  noteUnprompted(packet.time);
  notePrompt(role.kind);
  noteRefill(packet.time);
  resolve(packet.time);
  if (packet.flags.fin()) m_endIsKnown = role.range.begin <= m_highest;
  m_highest = std::max(m_highest, role.range.end);
  m_lastSend = packet.time;
  m_acknowledgments = 0;
  m_freedBytes = 0;
  m_hasRoom = false;
  m_windowWasFull = isWindowFull();
  m_burstEnd = burstEnd(packet);
  noteBurst(packet);
  m_isInBurst = true;
}

void WireLimits::followQueues(const PacketSample& packet, const CaptureConnection& connection, FlowSide side) {
  const auto timestamps = loneTimestamps(packet.options);
  if (!timestamps) return;
  m_queue.take(packet.time, timestamps->value);
  // Until it is known how long the data waits, all of the delay would be the acknowledgments'.
  if (!m_queue.isKnown()) return;
  const auto receiver = static_cast<FlowSide>(1 - side);
  m_returnQueue.take(connection.oldestUnechoed(receiver, packet.time), connection.newestAnswer(side),
                     m_delayToSender + m_queue.delay());
}

WireLimits::BurstEnd WireLimits::burstEnd(const PacketSample& packet) {
  const std::uint32_t last =
      packet.payloadBytes > m_segmentBytes ? packet.payloadBytes % m_segmentBytes : packet.payloadBytes;
  m_fullBytes = std::max(m_fullBytes, atMostASegment(std::min<std::uint32_t>(packet.payloadBytes, m_segmentBytes)));
  if (packet.flags.psh() && last != 0 && last < m_fullBytes) return BurstEnd::shortSegment;
  const bool isFull = packet.payloadBytes % m_segmentBytes == 0;
  return isFull && (m_isInBurst || packet.payloadBytes > m_segmentBytes) ? BurstEnd::fullSegment : BurstEnd::other;
}

void WireLimits::takeAcknowledgment(const PacketSample& packet, const FlowPacket& taken) {
  if (!m_hasData || m_isOver || !packet.flags.ack() || (packet.flags.bits & 0x06) != 0) return;
  const auto side = static_cast<FlowSide>(1 - taken.side);
  const CaptureConnection& connection = *taken.connection;
  const TransmissionTracker& sent = connection.transmission(side);
  if (taken.role.acknowledgment.rtt) addRtt(*taken.role.acknowledgment.rtt + m_delayToSender);
  if (taken.role.acknowledgment.spurious != nullptr) takeBack(*taken.role.acknowledgment.spurious);
  const StreamOffset acknowledged = sent.acknowledgedOffset();
  const StreamOffset number = unwrap(packet.acknowledgment, acknowledged);
  // The scale of a connection stays what it is once it is known.
  if (!m_windowScale) m_windowScale = connection.windowScale(taken.side);
  PassedAcknowledgment passed{packet.time, acknowledged, 0, sent.sackedBytes(), packet.payloadBytes > 0};
  if (m_windowScale || packet.window == 0) {
    passed.edge = number + (std::uint64_t{packet.window} << m_windowScale.value_or(0));
  }
  m_knowsAcknowledgments = true;
  if (m_hasRtt && packet.time - m_placedAt >= m_rtt) placeCapturePoint(connection, side);
  if (m_delayToSender == Nanoseconds::zero()) {
    learn(passed, packet.time);
  } else {
    m_delay.push(passed, m_delayToSender);
    passDelayed(packet.time);
  }
}

void WireLimits::begin(const PacketSample& packet, const CaptureConnection& connection, FlowSide side) {
  m_hasData = true;
  m_firstData = packet.time;
  m_accountedTo = packet.time;
  m_lastSend = packet.time;
  m_segmentBytes = atMostASegment(connection.segmentBytes(side));
  m_acknowledged = connection.transmission(side).acknowledgedOffset();
  m_firstAcknowledged = m_acknowledged;
  if (const auto window = connection.advertisedWindow(static_cast<FlowSide>(1 - side)); window && m_acknowledged != 0) {
    m_edge = m_acknowledged + *window;
    m_largestWindow = *window;
  }
  placeCapturePoint(connection, side);
}

void WireLimits::placeCapturePoint(const CaptureConnection& connection, FlowSide side) {
  // Up to a tenth of the RTT, or less than any relevant vantage-point delay, is a host's own reaction.
  constexpr Nanoseconds kReaction = std::chrono::microseconds(300);
  m_placedAt = m_accountedTo;
  const auto toSender = connection.answerDelay(side);
  const auto toReceiver = connection.answerDelay(static_cast<FlowSide>(1 - side));
  m_knowsVantage = toSender && toReceiver;
  if (!m_knowsVantage) return;
  const bool isAtSender = *toSender <= std::max(kReaction, (*toSender + *toReceiver) / 10);
  // Once late, always late: acknowledgments in flight must arrive in order.
  if (isAtSender && m_delayToSender == Nanoseconds::zero()) {
    m_shortDelay = *toSender > (*toSender + *toReceiver) / 4 ? *toSender : Nanoseconds::zero();
    return;
  }
  m_shortDelay = Nanoseconds::zero();
  m_delayToSender = std::max(*toSender, kReaction);
  if (!m_hasRtt) addRtt(*toSender + *toReceiver);
}

void WireLimits::passDelayed(WallTime time) {
  while (const PassedAcknowledgment* passed = m_delay.due(time - delayNow())) {
    learn(*passed, passed->time + delayNow());
    m_delay.pop();
  }
}

void WireLimits::learn(const PassedAcknowledgment& passed, WallTime time) {
  account(time);
  const bool hasNews =
      passed.acknowledged > m_acknowledged || passed.edge > m_edge || passed.sackedBytes > m_sackedBytes;
  if (passed.acknowledged > m_acknowledged) {
    keepHeld();
    if (m_acknowledgments < kSeveral) ++m_acknowledgments;
    m_freedBytes += static_cast<std::uint32_t>(passed.acknowledged - m_acknowledged);
  }
  if (hasNews) m_lastNews = time;
  m_isPrompted = true;
  m_promptCarriesData = passed.carriesData;
  m_acknowledged = std::max(m_acknowledged, passed.acknowledged);
  m_sackedBytes = passed.sackedBytes;
  m_edge = passed.edge;
  if (m_edge > m_acknowledged) m_largestWindow = std::max(m_largestWindow, m_edge - m_acknowledged);
  if (!hasNews || m_hasRoom || isWindowFull()) return;
  m_hasRoom = true;
  m_roomSince = time;
}

bool WireLimits::isWindowFull() const {
  // A sender does not wait for more than this window ever offered (RFC 9293 §3.8.6.2.1: half of its largest will do).
  if (m_edge == 0 || m_highest == 0) return false;
  if (m_edge <= m_highest) return true;
  return m_edge - m_highest < std::min<std::uint64_t>(m_segmentBytes, std::max<std::uint64_t>(m_largestWindow / 2, 1));
}

void WireLimits::keepHeld() {
  m_waits.add(SenderWait::receiver, m_heldByWindow);
  m_waits.add(SenderWait::recovery, m_heldInRecovery);
  m_waits.add(SenderWait::timeout, m_heldInTimeout);
  m_heldByWindow = m_heldInRecovery = m_heldInTimeout = Nanoseconds::zero();
}

void WireLimits::endHeld(Nanoseconds probesAfter) {
  // A sender with nothing in flight uses what little room there is when its timer fires: this one had nothing to send.
  const bool hadNothing = m_acknowledged >= m_highest && m_edge > m_highest && m_heldByWindow >= probesAfter;
  if (hadNothing) m_drained += std::exchange(m_heldByWindow, Nanoseconds::zero());
  keepHeld();
}

void WireLimits::account(WallTime time) {
  if (time <= m_accountedTo) return;
  const Nanoseconds span = time - m_accountedTo;
  m_accountedTo = time;
  if (m_acknowledged < m_timeoutUntil) {
    m_heldInTimeout += span;
  } else if (m_acknowledged < m_recoveryUntil) {
    m_heldInRecovery += span;
  } else if (isWindowFull()) {
    m_heldByWindow += span;
  } else {
    (m_acknowledged >= m_highest ? m_drained : m_open) += span;
  }
}

Nanoseconds WireLimits::answerTime() const {
  return std::clamp(m_rtt / kAnswersPerRtt, kShortestAnswer, kLongestAnswer);
}

SenderWait WireLimits::waitEndedBySending(WallTime time) const {
  if (!m_knowsVantage || !m_knowsAcknowledgments) return SenderWait::unknown;
  if (m_drained > answerTime()) return SenderWait::pause;
  // In one go with the packet before it.
  const bool isBurst = !m_hasRoom && time - m_lastSend <= answerTime();
  if (isBurst) return m_lastWait;
  const bool wasAnswer = m_hasRoom && time - m_roomSince <= answerTime();
  if (!wasAnswer) return SenderWait::own;
  // A sender that gathers what it sends lets a little room come up in a window that is full all the same.
  return m_windowWasFull ? SenderWait::receiver : SenderWait::clock;
}

void WireLimits::resolve(WallTime time) {
  if (m_open + m_drained <= Nanoseconds::zero()) return;
  SenderWait wait = waitEndedBySending(time);
  // A FIN continues no transfer.
  if (wait == SenderWait::pause && m_isOver) wait = SenderWait::idle;
  m_waits.add(wait, m_open + m_drained);
  if (wait == SenderWait::pause) notePause(m_open + m_drained);
  m_lastWait = wait == SenderWait::pause ? SenderWait::own : wait;
  m_open = m_drained = Nanoseconds::zero();
}

void WireLimits::notePause(Nanoseconds span) {
  // Two segments in a tenth of a second are 230 kbit/s: hardly anything is paced to less.
  constexpr Nanoseconds kLongestPaced = std::chrono::milliseconds(100);
  SenderHabits::Pauses& pauses = changeHabits().pauses;
  ++pauses.count;
  if (m_burstEnd == BurstEnd::fullSegment && span <= kLongestPaced) ++pauses.afterFull;
  m_isInBurst = false;
}

void WireLimits::noteRefill(WallTime time) {
  // A third is free when the program wakes; its segments and the kernel's count of memory make that a little less.
  constexpr std::uint64_t kOneIn = 4;
  // Elsewhere the delay to the sender is not known so well: writes at a steady pace fall within it.
  if (!isAtSender() || isRepairing() || time - m_lastNews > kShortestAnswer) return;
  if (m_acknowledgments < kSeveral || m_freedBytes * kOneIn < unacked() + m_freedBytes) return;
  SenderHabits::Refills& refills = changeHabits().refills;
  ++refills.count;
  refills.bytes += m_freedBytes;
}

void WireLimits::noteBurst(const PacketSample& packet) {
  // An acknowledgment that made a sender continue came before that, but not long.
  constexpr Nanoseconds kPrompt = std::chrono::microseconds(200);
  // On the way bursts are spread, so that only the sender's own show a pace.
  if (!isAtSender() || m_acknowledged == m_firstAcknowledged) return;
  changeHabits().pace.take({packet.time, packet.payloadBytes, packet.time - m_lastNews >= kPrompt,
                            m_burstEnd == BurstEnd::shortSegment, isRepairing()});
}

SenderHabits& WireLimits::changeHabits() {
  if (!m_habits) m_habits.emplace();
  return *m_habits;
}

void WireLimits::noteUnprompted(WallTime time) {
  const Nanoseconds reaction = isAtSender() ? kShortestAnswer : answerTime();
  const Nanoseconds wait = time - m_lastSend;
  // An acknowledgment that waited in a queue came too late, by a little more or less than is known. Away from the
  // sender a stream in a window of unknown size may have filled it at any moment, and then ends in a short segment,
  // too.
  const bool mayFillWindow =
      !m_windowScale && m_delayToSender > Nanoseconds::zero() && unacked() >= 2 * std::uint64_t{m_segmentBytes};
  if (m_returnQueue.delay() > reaction || mayFillWindow) return;
  if (wait < reaction || m_windowWasFull || isRepairing() || !m_knowsVantage || time - m_lastNews < reaction) return;
  SenderHabits::Unprompted& unprompted = changeHabits().unprompted;
  unprompted.span += wait;
  ++unprompted.count;
  if (m_burstEnd == BurstEnd::shortSegment) ++unprompted.afterShort;
}

void WireLimits::notePrompt(SegmentKind kind) {
  const bool isPrompted = m_isPrompted;
  m_isPrompted = false;
  if (!isPrompted || kind != SegmentKind::newData) return;
  ++m_prompts.count;
  if (m_promptCarriesData) ++m_prompts.byData;
}

void WireLimits::takeBack(const std::vector<Retransmission>& spurious) {
  const bool isOfTimer = std::any_of(spurious.begin(), spurious.end(), [this](const Retransmission& one) {
    return one.time == m_lastTimeoutAt && one.trigger == RetransmissionCause::timeout;
  });
  if (!isOfTimer || m_timeouts == 0) return;
  --m_timeouts;
  m_lastTimeoutAt = WallTime();
}

void WireLimits::noteRepair(RetransmissionCause cause, WallTime time) {
  switch (cause) {
    case RetransmissionCause::timeout:
    case RetransmissionCause::tailLossProbe: {
      // The silence before it was the timer's, whatever else might have explained it.
      const Nanoseconds wait = m_open + m_heldByWindow + m_heldInRecovery + m_heldInTimeout;
      m_waits.add(SenderWait::timeout, wait);
      m_open = m_heldByWindow = m_heldInRecovery = m_heldInTimeout = Nanoseconds::zero();
      if (cause == RetransmissionCause::tailLossProbe) break;
      // What a timeout goes over again follows acknowledgments; the timer itself follows silence.
      if (wait >= std::max(m_rtt, kShortestTimer)) {
        if (m_timeouts < std::numeric_limits<std::uint16_t>::max()) ++m_timeouts;
        m_lastTimeoutAt = time;
      }
      m_timeoutUntil = m_highest;
      break;
    }
    case RetransmissionCause::fast:
    case RetransmissionCause::recovery:
    case RetransmissionCause::spurious:
      if (m_acknowledged >= m_recoveryUntil) m_recoveryUntil = m_highest;
      break;
    default:
      break;
  }
}

void WireLimits::addRtt(Nanoseconds sample) {
  m_rtt = m_hasRtt ? m_rtt + (sample - m_rtt) / 8 : sample;
  m_hasRtt = true;
}

SenderWaits WireLimits::waits(WallTime end) const {
  WireLimits last(*this);
  last.finish(end);
  return last.m_waits;
}

void WireLimits::finish(WallTime end) {
  if (!m_hasData) return;
  if (!m_isOver) {
    passDelayed(end);
    account(end);
  }
  // Linux's shortest timer, and what it adds to the RTT.
  constexpr Nanoseconds kShortestProbe = std::chrono::milliseconds(200);
  endHeld(m_rtt + kShortestProbe);
  const bool isKnown = m_knowsVantage && m_knowsAcknowledgments;
  m_waits.add(isKnown ? m_lastWait : SenderWait::unknown, m_open);
  m_waits.add(isKnown ? SenderWait::idle : SenderWait::unknown, m_drained);
}

}  // namespace tcpscope
