// When packets were sent, in bounded memory: what losses drawn at random are drawn from.
//
// A transfer of any length is kept in blocks of consecutive packets. Where there is no room for more, every second
// block goes, and of those to come every second is kept. What is computed from the record is then about the packets in
// it, which are as good as any. Times that go back are taken for the newest before them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/moment.h"

namespace tcpscope {

class SendingRecord {
public:
  static constexpr std::size_t kBlockPackets = 16'384;
  static constexpr std::size_t kBlocksAtMost = 16;

  /// `packets` of one time, at least one. Gives the first one's position among all packets.
  std::uint64_t add(Moment time, std::uint32_t packets = 1);

  [[nodiscard]] std::uint64_t packets() const { return m_packets; }
  /// Of the packets in the record, ascending.
  [[nodiscard]] std::span<const Moment> times() const { return m_times; }
  /// The first packets without any left out.
  [[nodiscard]] std::span<const Moment> firstStretch() const;
  /// Where in times() the packet of this position is; nothing where it was left out.
  [[nodiscard]] std::optional<std::size_t> indexOf(std::uint64_t position) const;

private:
  void addOne();
  void dropEverySecondBlock();

  std::vector<Moment> m_times;
  std::uint64_t m_packets = 0;
  /// One block of so many is kept: a power of two.
  std::uint64_t m_stride = 1;
  Moment m_newest;
};

}  // namespace tcpscope
