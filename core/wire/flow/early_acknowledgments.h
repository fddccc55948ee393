// Acknowledgments that a capture recorded before the data which they acknowledge: where the two directions of a device
// have queues of their own, each direction is in order and the two may overtake one another by some milliseconds.
//
// They wait here, and with them all that the same end sends after them, until the data has come: at most 20 ms of
// the capture's time, and at most so many of all connections. Sorting by time would not do: times may be in the order
// of the file, and a capture that holds each frame twice would have its copies mixed.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/model/packet_sample.h"
#include "core/wire/flow/tcp_option_list.h"

namespace tcpscope {

class EarlyAcknowledgments {
public:
  static constexpr std::size_t kMostPackets = 256;
  static constexpr Nanoseconds kLongestWait = std::chrono::milliseconds(20);

  struct Place {
    /// Position in FlowTable::connections().
    std::uint32_t connection = 0;
    /// The end that sent it.
    std::uint8_t side = 0;
    /// It waits for data; else only for what waits before it.
    bool isEarly = true;
    /// That data is all beyond what the capture had shown: what follows it shows that it does not come.
    bool isBeyond = false;
  };
  struct Packet : Place {
    PacketSample sample;
    /// The bytes that the sample's options are a view of.
    std::array<std::byte, kMostOptionBytes> options{};

    /// The sample, as long as this object lives.
    [[nodiscard]] PacketSample view() const {
      PacketSample whole = sample;
      whole.options = std::span(options).first(sample.options.size());
      return whole;
    }
  };

  void hold(const PacketSample& sample, const Place& place);
  [[nodiscard]] bool isEmpty() const { return m_packets.empty(); }
  /// Does a packet of this end wait?
  [[nodiscard]] bool holdsOf(std::uint32_t connection, std::uint8_t side) const;
  /// The oldest of this end, left where it is; null where none waits.
  [[nodiscard]] const Packet* oldestOf(std::uint32_t connection, std::uint8_t side) const;
  /// Takes the oldest of this end out.
  Packet releaseOldestOf(std::uint32_t connection, std::uint8_t side);
  /// The oldest of all, where it has waited long enough by `now`, or where there is no space for another.
  std::optional<Packet> releaseOverdue(WallTime now);
  /// The oldest of all, if any.
  std::optional<Packet> releaseOldest();

private:
  Packet release(std::size_t index);

  /// In the order in which they came.
  std::vector<Packet> m_packets;
};

}  // namespace tcpscope
