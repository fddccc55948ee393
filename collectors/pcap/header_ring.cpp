#include "collectors/pcap/header_ring.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tcpscope {

HeaderRing::HeaderRing(Bytes limit)
    : m_mostBlocks(std::max<std::size_t>(2, static_cast<std::size_t>(limit.value()) / kBlockBytes)) {}

WallTime HeaderRing::oldest() const {
  return m_blocks.empty() ? WallTime() : m_blocks.front().first;
}

void HeaderRing::beginBlock(WallTime time) {
  Block block;
  if (m_blocks.size() >= m_mostBlocks) {
    m_discarded += m_blocks.front().packets;
    // Its memory serves the new one.
    block.bytes = std::move(m_blocks.front().bytes);
    block.bytes.clear();
    m_blocks.pop_front();
  }
  block.bytes.reserve(kBlockBytes);
  block.first = time;
  m_blocks.push_back(std::move(block));
}

void HeaderRing::push(const CapturedFrame& frame) {
  m_newest = frame.time.value_or(m_newest);
  const std::size_t kept = std::min<std::size_t>(frame.bytes.size(), std::numeric_limits<std::uint16_t>::max());
  const Header header{m_newest, frame.wireBytes, static_cast<std::uint16_t>(kept), frame.linkType};
  const std::size_t size = sizeof header + kept;
  if (m_blocks.empty() || m_blocks.back().bytes.size() + size > kBlockBytes) beginBlock(m_newest);
  Block& block = m_blocks.back();
  const auto headerBytes = std::as_bytes(std::span(&header, 1));
  block.bytes.insert(block.bytes.end(), headerBytes.begin(), headerBytes.end());
  block.bytes.insert(block.bytes.end(), frame.bytes.begin(), frame.bytes.begin() + static_cast<std::ptrdiff_t>(kept));
  ++block.packets;
  ++m_pushed;
}

void HeaderRing::forEach(const std::function<void(const CapturedFrame&)>& visit) const {
  CapturedFrame frame;
  frame.number = m_discarded;
  for (const Block& block : m_blocks) {
    std::span<const std::byte> rest = block.bytes;
    while (!rest.empty()) {
      Header header;
      std::memcpy(&header, rest.data(), sizeof header);
      frame.time = header.time;
      frame.wireBytes = header.wireBytes;
      frame.linkType = header.linkType;
      frame.bytes = rest.subspan(sizeof header, header.bytes);
      visit(frame);
      ++frame.number;
      rest = rest.subspan(sizeof header + header.bytes);
    }
  }
}

}  // namespace tcpscope
