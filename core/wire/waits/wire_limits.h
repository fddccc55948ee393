// What one end of a captured connection waited for between its packets, in the tradition of T-RAT (Zhang, Breslau,
// Paxson, Shenker: "On the Characteristics and Origins of Internet Flow Rates", 2002): each wait is named by how it
// ended.
//
// A wait in which the receiver's window had no room for a segment is the receiver's. One that ends soon after an
// acknowledgment made room was for the acknowledgment. One that ends later, or without any, was the sender's own
// affair; if nothing was in flight by then, a pause. Silence to the end with nothing in flight is idle, also in a
// window that had a little room. Timers and repairs are known from the causes of retransmissions.
//
// All of that is judged as the sender saw it, whose acknowledgments come later than they pass the capture point: by the
// vantage-point delay, which handshake or timestamps show. Where they do not, or no acknowledgment is seen, all is
// unknown. Constant memory: 2 KB more once where the capture point is not the sender's.
#pragma once

#include <optional>

#include "core/base/value_pointer.h"
#include "core/wire/flow/flow_table.h"
#include "core/wire/waits/acknowledgment_delay.h"
#include "core/wire/waits/return_queue.h"
#include "core/wire/waits/sender_habits.h"
#include "core/wire/waits/sender_wait.h"
#include "core/wire/waits/upstream_queue.h"

namespace tcpscope {

class WireLimits {
public:
  /// A packet of this direction, `taken` by its connection; what carries no data is passed over.
  void takeSegment(const PacketSample& packet, const FlowPacket& taken);
  /// A packet of the other direction.
  void takeAcknowledgment(const PacketSample& packet, const FlowPacket& taken);

  /// From the first data to `end`, the time of the connection's last packet; nothing observed without data.
  [[nodiscard]] SenderWaits waits(WallTime end) const;
  /// Those that have a name by now.
  [[nodiscard]] const SenderWaits& namedWaits() const { return m_waits; }

  /// It has sent its FIN, with its last data or right behind it: nothing was lost between them.
  [[nodiscard]] bool endIsKnown() const { return m_endIsKnown; }
  [[nodiscard]] bool hasData() const { return m_hasData; }
  [[nodiscard]] WallTime firstData() const { return m_firstData; }
  /// Sent, and neither acknowledged nor SACKed, as the sender knows it.
  [[nodiscard]] std::uint64_t inFlight() const { return unacked() - std::min(unacked(), m_sackedBytes); }
  [[nodiscard]] bool isRepairing() const { return m_acknowledged < m_recoveryUntil || m_acknowledged < m_timeoutUntil; }
  /// Sent, and not acknowledged.
  [[nodiscard]] std::uint64_t unacked() const { return m_highest > m_acknowledged ? m_highest - m_acknowledged : 0; }
  /// How the last wait that had to be named was: `clock`, `receiver`, `own` or `unknown`.
  [[nodiscard]] SenderWait lastWait() const { return m_lastWait; }
  /// Timers that fired and retransmitted.
  [[nodiscard]] std::uint32_t timeouts() const { return m_timeouts; }
  /// Of the stream, as far as the sender knows.
  [[nodiscard]] std::uint64_t ackedBytes() const { return m_acknowledged - m_firstAcknowledged; }
  /// Smoothed, of the whole path; nothing before the first sample.
  [[nodiscard]] std::optional<Nanoseconds> rtt() const { return m_hasRtt ? std::optional(m_rtt) : std::nullopt; }
  /// Is it known how long acknowledgments take from the capture point to the sender?
  [[nodiscard]] bool knowsVantage() const { return m_knowsVantage; }
  /// The capture point is known to be the sender's.
  [[nodiscard]] bool isAtSender() const {
    return m_knowsVantage && m_delayToSender == Nanoseconds::zero() && m_shortDelay == Nanoseconds::zero();
  }
  /// On a path so short that acknowledgments reach the sender at once: from the capture point to it and back, where
  /// that is no mere reaction; else 0.
  [[nodiscard]] Nanoseconds shortDelayToSender() const { return m_shortDelay; }
  /// First number that is not acknowledged.
  [[nodiscard]] StreamOffset acknowledged() const { return m_acknowledged; }
  /// What the sender does again and again; nothing before it did anything of the kind.
  [[nodiscard]] SenderHabits habits() const { return m_habits ? *m_habits : SenderHabits(); }
  /// What made the sender continue, where the capture point is its own: an application that waits for messages of the
  /// peer continues at acknowledgments that carry data, one that TCP limits at every acknowledgment.
  struct Prompts {
    /// Times that it continued after an acknowledgment, and those of them after one with data.
    std::uint32_t count = 0;
    std::uint32_t byData = 0;
  };
  [[nodiscard]] const Prompts& prompts() const { return m_prompts; }
  /// From the capture point to the sender and back; 0 where that is next to nothing.
  [[nodiscard]] Nanoseconds delayToSender() const { return m_delayToSender; }
  /// How long acknowledgments wait now between the capture point and the sender; nothing where it is the sender's, or
  /// where timestamps do not show how long the data itself waits.
  [[nodiscard]] std::optional<Nanoseconds> returnQueue() const {
    return m_queue.isKnown() ? std::optional(m_returnQueue.delay()) : std::nullopt;
  }
  /// Has a window been seen whose scale is known?
  [[nodiscard]] bool knowsWindow() const { return m_windowScale.has_value(); }
  [[nodiscard]] std::size_t residentBytes() const {
    return m_delay.residentBytes() + (m_habits ? sizeof(SenderHabits) : 0);
  }

private:
  void begin(const PacketSample& packet, const CaptureConnection& connection, FlowSide side);
  void placeCapturePoint(const CaptureConnection& connection, FlowSide side);
  void followQueues(const PacketSample& packet, const CaptureConnection& connection, FlowSide side);
  void passDelayed(WallTime time);
  void learn(const PassedAcknowledgment& passed, WallTime time);
  /// Puts the time since the last event to what held the sender in it.
  void account(WallTime time);
  /// Names the waits that only the packet that ended them could name.
  void resolve(WallTime time);
  /// The time to the end, and the waits that no later packet will name.
  void finish(WallTime end);
  [[nodiscard]] SenderWait waitEndedBySending(WallTime time) const;
  void noteRepair(RetransmissionCause cause, WallTime time);
  /// A timer fired although nothing was lost.
  void takeBack(const std::vector<Retransmission>& spurious);
  void noteUnprompted(WallTime time);
  void notePrompt(SegmentKind kind);
  enum class BurstEnd : std::uint8_t {
    other,
    /// Smaller than the sender's full segments, and pushed: its last for now.
    shortSegment,
    /// Full, and not the first of its burst.
    fullSegment,
  };
  /// How its burst ends, should this segment be the last of it.
  [[nodiscard]] BurstEnd burstEnd(const PacketSample& packet);
  void notePause(Nanoseconds span);
  void noteRefill(WallTime time);
  void noteBurst(const PacketSample& packet);
  SenderHabits& changeHabits();
  /// From the capture point to the sender and back, with the queues of this moment.
  [[nodiscard]] Nanoseconds delayNow() const { return m_delayToSender + m_queue.delay() + m_returnQueue.delay(); }
  /// Gives the waits that were held their own names: no timer claims them any more.
  void keepHeld();
  /// The same, of a sender that sends no more: a window with a little room held it no longer than `probesAfter`.
  void endHeld(Nanoseconds probesAfter);
  void addRtt(Nanoseconds sample);
  [[nodiscard]] bool isWindowFull() const;
  [[nodiscard]] Nanoseconds answerTime() const;

  SenderWaits m_waits;
  /// Not named yet: data in flight and the window not full; nothing in flight.
  Nanoseconds m_open{0};
  Nanoseconds m_drained{0};
  /// With a full window and while repairing, since the last segment or progress: all of it the timer's if it fires.
  Nanoseconds m_heldByWindow{0};
  Nanoseconds m_heldInRecovery{0};
  Nanoseconds m_heldInTimeout{0};
  WallTime m_firstData;
  WallTime m_accountedTo;
  WallTime m_lastSend;
  /// The first acknowledgment since then that left room to send.
  WallTime m_roomSince;
  WallTime m_placedAt;

  StreamOffset m_highest = 0;
  StreamOffset m_acknowledged = 0;
  StreamOffset m_firstAcknowledged = 0;
  StreamOffset m_edge = 0;
  std::uint64_t m_largestWindow = 0;
  std::uint64_t m_sackedBytes = 0;
  StreamOffset m_recoveryUntil = 0;
  StreamOffset m_timeoutUntil = 0;

  Nanoseconds m_rtt{0};
  Nanoseconds m_delayToSender{0};
  Nanoseconds m_shortDelay{0};
  AcknowledgmentDelay m_delay;
  /// A segment has 65,535 bytes at most.
  std::uint16_t m_segmentBytes = 0;
  std::uint16_t m_fullBytes = 0;
  std::uint16_t m_timeouts = 0;
  /// Acknowledgments of new data since the last segment, and what they acknowledged.
  std::uint8_t m_acknowledgments = 0;
  std::uint32_t m_freedBytes = 0;
  Prompts m_prompts;
  WallTime m_lastNews;
  WallTime m_lastTimeoutAt;
  UpstreamQueue m_queue;
  ReturnQueue m_returnQueue;
  ValuePointer<SenderHabits> m_habits;
  SenderWait m_lastWait = SenderWait::clock;
  bool m_hasData : 1 = false;
  bool m_hasRtt : 1 = false;
  bool m_hasRoom : 1 = false;
  /// An acknowledgment came since the last segment; the latest carried data.
  bool m_isPrompted : 1 = false;
  bool m_promptCarriesData : 1 = false;
  bool m_knowsVantage : 1 = false;
  bool m_knowsAcknowledgments : 1 = false;
  bool m_windowWasFull : 1 = false;
  bool m_isOver : 1 = false;
  bool m_endIsKnown : 1 = false;
  /// A segment came since the last pause.
  bool m_isInBurst : 1 = false;
  std::optional<std::uint8_t> m_windowScale;
  BurstEnd m_burstEnd = BurstEnd::other;
};

}  // namespace tcpscope
