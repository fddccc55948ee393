// One retransmitted segment and the cause of its retransmission.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

/// Why a sender retransmitted, as far as packets show. After Linux (net/ipv4/tcp_input.c, tcp_recovery.c,
/// tcp_timer.c); other stacks come to the same by RFC 6675, RFC 8985 and RFC 6298.
enum class RetransmissionCause : std::uint8_t {
  /// No acknowledgment came for as long as the sender waits; also all that the sender then goes over again.
  timeout,
  /// The one segment that duplicate acknowledgments or SACK have shown to be missing.
  fast,
  /// The last segment once more after about two RTTs of silence, to detect a loss of the tail (RFC 8985 §7).
  tailLossProbe,
  /// One of several retransmissions of one loss recovery.
  recovery,
  /// Not needed: the receiver said afterwards that it had the segment (RFC 2883, RFC 3522).
  spurious,
  /// The handshake: SYN or SYN with ACK.
  syn,
  unknown,
};

inline constexpr std::size_t kRetransmissionCauseCount = 7;

/// snake_case, for the JSON documents.
std::string_view name(RetransmissionCause cause);

struct Retransmission {
  WallTime time;
  /// On the wire: onTheWire(begin).
  StreamOffset begin = 0;
  /// 0 for a SYN or FIN alone.
  std::uint32_t payloadBytes = 0;
  /// What made the sender send it; never `spurious`.
  RetransmissionCause trigger = RetransmissionCause::unknown;
  bool isSpurious = false;
  /// Not seen itself: the segment filled a hole too late to be merely out of order, so that the first one was lost
  /// before the capture point. Not part of the retransmitted bytes, which were seen twice.
  bool originalWasSeen = true;
  /// The transmission before this one: when it passed the capture point, and its place among the direction's packets
  /// with payload, SYN or FIN (from 0, wraps; what an adapter joined counts as so many). Of one that was lost before
  /// the capture point the place that it would have had, and when the packet after it passed. Nothing where it was
  /// acknowledged already, or is older than the capture.
  struct Before {
    WallTime time;
    std::uint32_t position = 0;
    /// More than one where an adapter joined them.
    std::uint32_t packets = 1;
    bool operator==(const Before&) const = default;
  };
  std::optional<Before> before;

  /// The trigger, unless acknowledgments made the sender believe in a loss that was none (reordering). A timer and a
  /// probe stay what they are: they fire on silence, and `isSpurious` says that the silence deceived.
  [[nodiscard]] RetransmissionCause cause() const;
  /// It was sent because acknowledgments stopped, not because they showed a loss.
  [[nodiscard]] bool isByTimer() const {
    return trigger == RetransmissionCause::timeout || trigger == RetransmissionCause::tailLossProbe;
  }
};

/// How many there were of each cause, listed or not.
class RetransmissionCounts {
public:
  void add(RetransmissionCause cause) { ++m_counts[static_cast<std::size_t>(cause)]; }
  void move(RetransmissionCause from, RetransmissionCause to) {
    --m_counts[static_cast<std::size_t>(from)];
    add(to);
  }
  [[nodiscard]] Count of(RetransmissionCause cause) const { return Count(m_counts[static_cast<std::size_t>(cause)]); }

private:
  std::array<std::uint64_t, kRetransmissionCauseCount> m_counts{};
};

}  // namespace tcpscope
