// Reassembly of TCP segments that IP cut into fragments.
//
// Only what the analysis needs is kept: the TCP header, which the first fragment holds, and which parts of the segment
// have come. Memory is fixed; where more packets are incomplete at once, the oldest goes. RFC 791 §3.2, RFC 8200 §4.5.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/packet_sample.h"

namespace tcpscope {

/// The place of a fragment in its packet, by the IP header; the ends stand in the sample.
struct IpFragment {
  std::uint32_t identification = 0;
  /// Of its payload within that of the whole packet, in bytes: a multiple of 8.
  std::uint32_t offset = 0;
  std::uint32_t payloadBytes = 0;
  bool isLast = false;
};

class FragmentReassembly {
public:
  enum class Result : std::uint8_t {
    /// Waits for the others, or came twice.
    kept,
    /// The sample is the whole segment now; its options lie here until the next call.
    whole,
    /// The sample is good as it is: a first fragment of a capture that holds no others, as filters for ports make them.
    alone,
  };
  /// `sample`: with the TCP header where the fragment is a first one, else with addresses, time and place only.
  Result take(PacketSample& sample, const IpFragment& fragment);

  /// Fragments that went into whole segments without being one themselves.
  [[nodiscard]] std::uint64_t reassembled() const { return m_reassembled; }

private:
  static constexpr std::size_t kUnitBytes = 8;
  static constexpr std::size_t kMostUnits = 65'536 / kUnitBytes;
  static constexpr std::size_t kMostPackets = 64;
  static constexpr std::size_t kMostOptionBytes = 40;

  struct Packet {
    PacketSample head;
    std::array<std::byte, kMostOptionBytes> options{};
    std::size_t optionBytes = 0;
    std::uint32_t identification = 0;
    std::uint32_t headPayloadBytes = 0;
    std::bitset<kMostUnits> units;
    std::optional<std::uint32_t> bytes;
    std::uint64_t fragments = 0;
    bool hasHead = false;
    bool isMarked = false;
    bool isWhole = false;

    void begin(const PacketSample& sample, const IpFragment& fragment);
    void keepHead(const PacketSample& sample, const IpFragment& fragment);
    void add(const IpFragment& fragment);
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] bool isPartOf(const PacketSample& sample, const IpFragment& fragment) const;
  };

  Packet& packetOf(const PacketSample& sample, const IpFragment& fragment);

  /// Made with the first fragment: most captures have none.
  std::vector<Packet> m_packets;
  std::size_t m_oldest = 0;
  std::size_t m_firsts = 0;
  bool m_hasOthers = false;
  std::uint64_t m_reassembled = 0;
};

}  // namespace tcpscope
