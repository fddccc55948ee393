// One direction of a link: packets in, the same packets out at the moment they leave its far end, less what was lost on
// the way. Time is passed in and never goes back; the same seed and the same calls give the same result.
//
// The rate is a virtual clock: a packet's transmission begins when the one before it ended, however late the caller
// called. What waits for the rate is the queue; the packet in transmission is not part of it. Order of events as in
// link_settings.h. Settings change at any time: what is inside stays, waits for the new rate, and is not overtaken
// where the delay became shorter.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/lab/path/early_detection.h"
#include "app/lab/path/link_settings.h"
#include "app/lab/path/loss_process.h"
#include "app/lab/path/packet_pool.h"
#include "app/lab/path/path_log.h"
#include "app/lab/path/ring_queue.h"
#include "app/lab/path/token_bucket.h"

namespace tcpscope::lab {

/// Hears of every drop, mark, duplicate and late packet.
using PathEventSink = std::function<void(const PathEvent&)>;

/// A packet that has left a link, and the moment it did: not later than asked for, maybe earlier.
struct Departure {
  Packet packet;
  Moment at;
};

class Link {
public:
  /// `number` is its place in the log; links with the same seed and other numbers draw other random numbers.
  Link(std::uint16_t number, const LinkSettings& settings, std::uint64_t seed, PathEventSink sink);

  void change(const LinkSettings& settings, Moment now);

  /// Takes a packet in. Gives the ICMP message for its sender where it was too large for the link.
  std::optional<std::vector<std::uint8_t>> accept(Packet packet, Moment now);

  /// The next packet whose moment is not after `now`, in the order of leaving.
  std::optional<Departure> release(Moment now);

  /// No packet leaves before it; nothing while the link is empty.
  [[nodiscard]] std::optional<Moment> nextRelease() const;

  [[nodiscard]] const LinkSettings& settings() const { return m_settings; }
  [[nodiscard]] LinkCounters counters() const;

private:
  void transmitUntil(Moment now);
  void enqueue(Packet packet, Moment now);
  void police(Packet packet, Moment now);
  bool isAdmitted(Packet& packet, Moment now);
  bool signalCongestion(Packet& packet, Moment now);
  void transmit(Packet packet, Moment now);
  void propagate(Packet packet, Moment now);
  void drop(const Packet& packet, PathEventKind kind, Moment now);
  void record(const Packet& packet, PathEventKind kind, Moment now) const;
  [[nodiscard]] bool isBroken(Moment now);
  [[nodiscard]] Nanoseconds transmissionTime(const Packet& packet) const;

  std::uint16_t m_number;
  LinkSettings m_settings;
  PathEventSink m_sink;
  LossProcess m_loss;
  EarlyDetection m_early;
  TokenBucket m_policer;
  RandomStream m_duplication;
  RandomStream m_jitter;
  RandomStream m_reordering;
  LinkCounters m_counters;
  std::optional<Moment> m_firstPacketAt;

  RingQueue<Packet> m_waiting;
  Bytes m_waitingBytes;
  /// The packet on the wire's near end.
  std::optional<Packet> m_transmitted;
  Moment m_transmissionEnds;
  /// In flight, by the moment of leaving.
  RingQueue<Departure> m_inOrder;
  RingQueue<Departure> m_reordered;
};

}  // namespace tcpscope::lab
