// Everything that the analysis of a direction's losses needs, collected packet by packet in bounded memory: 2 MB of
// sending times and 3 MB of losses at most, however long the transfer.
//
// Losses may be found in any order, and taken back when the packet turns out to have arrived. Of more losses than are
// kept, the first of the transfer stay, and all are counted.
#pragma once

#include <map>
#include <vector>

#include "core/wire/loss/loss.h"
#include "core/wire/loss/sending_record.h"

namespace tcpscope {

inline constexpr std::size_t kLossesAtMost = 32'768;

class LossRecord {
public:
  /// Gives the first packet's position among all packets. Each transmission is a packet, retransmissions too.
  std::uint64_t addSent(Moment time, std::uint32_t packets = 1) { return m_sent.add(time, packets); }
  /// The same packet twice counts once; false then.
  bool addLoss(const Loss& loss);
  /// A retransmitted packet had arrived: it is no loss, whether it was taken for one or not. Nothing where it is
  /// not known which one.
  void addSpurious(std::optional<std::uint64_t> position);
  /// The packet at this position had arrived, which says nothing about the order of packets.
  void removeLoss(std::uint64_t position) { m_losses.erase(position); }

  [[nodiscard]] const SendingRecord& sent() const { return m_sent; }
  /// Those that are kept, ascending by position.
  [[nodiscard]] std::vector<Loss> losses() const;
  /// All.
  [[nodiscard]] std::uint64_t lostPackets() const { return m_losses.size() + m_lossesBeyond; }
  [[nodiscard]] std::uint64_t spuriousPackets() const { return m_spurious; }
  /// The first so many packets, of which every loss is kept.
  [[nodiscard]] std::uint64_t coveredPackets() const;

private:
  SendingRecord m_sent;
  std::map<std::uint64_t, Loss> m_losses;
  std::uint64_t m_lossesBeyond = 0;
  std::uint64_t m_spurious = 0;
};

}  // namespace tcpscope
