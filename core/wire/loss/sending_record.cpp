#include "core/wire/loss/sending_record.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Room for what a short transfer has, in one piece.
constexpr std::size_t kFirstPackets = 8;

}  // namespace

std::uint64_t SendingRecord::add(Moment time, std::uint32_t packets) {
  m_newest = m_packets == 0 ? time : std::max(m_newest, time);
  const std::uint64_t position = m_packets;
  for (std::uint32_t packet = 0; packet < packets; ++packet) addOne();
  return position;
}

void SendingRecord::addOne() {
  const std::uint64_t position = m_packets++;
  // Without a division for every packet: the stride is a power of two.
  if ((position / kBlockPackets & (m_stride - 1)) != 0) return;
  if (m_times.size() == kBlockPackets * kBlocksAtMost) dropEverySecondBlock();
  if (m_times.empty()) m_times.reserve(kFirstPackets);
  m_times.push_back(m_newest);
}

void SendingRecord::dropEverySecondBlock() {
  for (std::size_t block = 1; block < kBlocksAtMost / 2; ++block) {
    const auto from = m_times.begin() + static_cast<std::ptrdiff_t>(2 * block * kBlockPackets);
    std::copy_n(from, kBlockPackets, m_times.begin() + static_cast<std::ptrdiff_t>(block * kBlockPackets));
  }
  m_times.resize(kBlockPackets * kBlocksAtMost / 2);
  m_stride *= 2;
}

std::span<const Moment> SendingRecord::firstStretch() const {
  return m_stride == 1 ? times() : times().first(kBlockPackets);
}

std::optional<std::size_t> SendingRecord::indexOf(std::uint64_t position) const {
  const std::uint64_t block = position / kBlockPackets;
  if (block % m_stride != 0) return std::nullopt;
  const std::uint64_t index = block / m_stride * kBlockPackets + position % kBlockPackets;
  if (index >= m_times.size()) return std::nullopt;
  return static_cast<std::size_t>(index);
}

}  // namespace tcpscope
