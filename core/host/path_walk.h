// Which probe of a path goes out next, and what its answer means. Pure: the caller owns the socket, sends and listens.
//
// A probe is an UDP packet that may pass a number of routers and not be cut; the router where it may go no further
// reports so, and so does the target, whose ports are closed (RFC 792, RFC 4443). First each hop is asked three times,
// then packets go to the last one that answered, from the largest down (RFC 1191). Silence is not taken for a fault of
// the path before a smaller packet was answered, the larger one lost again, and the smaller one answered again: hosts
// answer only so often. Sizes are tried in haste at first, as far as the hops' RTTs allow, and again with
// patience where haste was wrong.
//
// Bounded: at most kMostProbes packets, of which kAhead are in flight at a time, and none is waited for longer than a
// second.
#pragma once

#include "core/base/moment.h"
#include "core/host/path_reading.h"

namespace tcpscope {

struct PathProbe {
  /// In the order of sending; its answers name it.
  std::uint16_t number = 0;
  std::uint8_t hops = 0;
  /// Of the whole packet.
  Bytes size;
};

enum class PathAnswerKind : std::uint8_t {
  /// A router: it was allowed to go no further.
  expired,
  /// The target: its port is closed.
  arrived,
  /// A router, or the target: it is let no further.
  refused,
  /// A router, or this host where no address is reported: the packet is too large.
  tooLarge,
};

struct PathAnswer {
  std::uint16_t number = 0;
  PathAnswerKind kind = PathAnswerKind::expired;
  std::optional<IpAddress> from;
  /// What would pass; not every router reports it.
  std::optional<Bytes> mtu;
};

class PathWalk {
public:
  static constexpr std::uint16_t kMostProbes = 200;
  static constexpr std::size_t kAhead = 3;
  static constexpr std::uint8_t kMostHops = 30;

  explicit PathWalk(const IpAddress& target);

  /// What to send now; absent while answers are waited for, and when it is over.
  std::optional<PathProbe> next(Moment now);
  /// Until when an answer is waited for; absent where none is.
  [[nodiscard]] std::optional<Moment> waitsUntil() const;
  /// Answers to what was not asked, or is no longer waited for, are passed over.
  void accept(const PathAnswer& answer, Moment now);
  [[nodiscard]] bool isOver() const { return m_stage == Stage::over; }
  [[nodiscard]] const PathReading& reading() const { return m_reading; }

private:
  enum class Stage : std::uint8_t { hops, sizes, larger, smaller, over };
  struct Awaited {
    PathProbe probe;
    Moment sent;
  };

  std::optional<PathProbe> send(std::uint8_t hops, Bytes size, Moment now);
  void forgetLost(Moment now);
  void acceptHop(const Awaited& asked, const PathAnswer& answer, Moment now);
  void acceptSize(const Awaited& asked, const PathAnswer& answer);
  void passed(Bytes size);
  void lost(Bytes size);
  [[nodiscard]] bool isSilentTooLong() const;
  [[nodiscard]] Nanoseconds answerWait() const;
  std::optional<PathProbe> nextHop(Moment now);

  PathReading m_reading;
  Stage m_stage = Stage::hops;
  std::vector<Awaited> m_awaited;
  std::uint16_t m_sent = 0;
  std::uint8_t m_round = 1;
  std::uint8_t m_hop = 1;
  std::uint8_t m_farthest = kMostHops;
  Bytes m_size;
  unsigned m_lost = 0;
  bool m_isHasty = true;
  /// The largest and the smallest that got lost.
  Bytes m_firstVanished;
  std::optional<Bytes> m_vanished;
};

}  // namespace tcpscope
