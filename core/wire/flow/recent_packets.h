// The last few packets of a capture, so that one which is seen twice is known for a copy: a capture of all interfaces
// sees a packet on each of them that it passes, a mirrored port sees it come and go.
//
// A copy has the same numbers, window, flags and timestamps, and the same IP identification. It comes within about
// 20 ms, or from another interface or with another hop limit: a sender that retransmits takes another identification,
// but not all do. Where packets have none (IPv6, some senders of IPv4), time decides: no sender retransmits within half
// an RTT. Acknowledgments without news are sent at any distance, so that for those
// without identification only the interface or the hop limit decides. Constant memory: the copy of a packet that is
// longer ago than so many others is not found.
#pragma once

#include <array>
#include <optional>

#include "core/base/units.h"
#include "core/model/packet_sample.h"

namespace tcpscope {

enum class PacketLikeness : std::uint8_t {
  none,
  /// The same packet at another place, or delivered twice.
  copy,
  /// It may be the same packet or a retransmission.
  undecided,
};

/// What the packet is for its connection.
struct CopyEvidence {
  /// Of the whole path at its quickest; nothing where it is not known.
  std::optional<Nanoseconds> rtt;
  /// An acknowledgment alone that repeats the newest of its sender.
  bool repeatsAcknowledgment = false;
};

/// For two equal packets without an identification that distinguishes them.
PacketLikeness likenessByTime(WallTime one, WallTime other, const std::optional<Nanoseconds>& rtt);

class RecentPackets {
public:
  static constexpr std::size_t kPackets = 256;

  /// `flow` stands for the connection and the end that sent it.
  void add(const PacketSample& packet, std::uint32_t flow) {
    m_keys[m_next] = keyOf(packet, flow);
    Seen& seen = m_seen[m_next];
    seen.time = packet.time;
    seen.flow = flow;
    seen.interface = packet.interface;
    seen.identification = packet.identification;
    seen.hopLimit = packet.hopLimit;
    m_next = (m_next + 1) % kPackets;
  }
  /// Is it one of those that were added?
  [[nodiscard]] PacketLikeness compare(const PacketSample& packet, std::uint32_t flow,
                                       const CopyEvidence& evidence) const;

private:
  struct Seen {
    WallTime time;
    std::uint32_t flow = 0;
    std::uint32_t interface = 0;
    std::uint16_t identification = 0;
    std::uint8_t hopLimit = 0;
  };
  /// Of all that does not change on the way. Different packets have the same once in four thousand million.
  static std::uint32_t keyOf(const PacketSample& packet, std::uint32_t flow);
  /// The one nearest in time.
  [[nodiscard]] const Seen* find(std::uint32_t key, WallTime time) const;
  [[nodiscard]] bool hasUniqueIdentification(const PacketSample& packet, std::uint32_t flow, std::uint32_t key) const;

  std::array<std::uint32_t, kPackets> m_keys{};
  std::array<Seen, kPackets> m_seen{};
  std::size_t m_next = 0;
};

}  // namespace tcpscope
