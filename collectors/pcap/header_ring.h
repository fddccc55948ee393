// The newest packets of a live capture, headers only, within a limit of memory: what a view draws and a file gets.
//
// Packets lie in blocks one after the other; where there is no room for another block the oldest goes as a whole, and
// what it held is counted.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "collectors/pcap/captured_frame.h"
#include "core/base/units.h"

namespace tcpscope {

class HeaderRing {
public:
  /// At least two blocks' worth.
  explicit HeaderRing(Bytes limit);

  /// A packet without a time has the one before.
  void push(const CapturedFrame& frame);

  [[nodiscard]] std::uint64_t size() const { return m_pushed - m_discarded; }
  /// The oldest ones, which are not here any more.
  [[nodiscard]] std::uint64_t discarded() const { return m_discarded; }
  /// Of the oldest packet that is here; meaningless in an empty ring.
  [[nodiscard]] WallTime oldest() const;
  /// In the order of the capture. The frame's bytes are the ring's.
  void forEach(const std::function<void(const CapturedFrame&)>& visit) const;

private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;

  /// Before the bytes of each packet.
  struct Header {
    WallTime time;
    std::uint32_t wireBytes = 0;
    std::uint16_t bytes = 0;
    LinkType linkType = LinkType::ethernet;
  };
  struct Block {
    std::vector<std::byte> bytes;
    std::uint64_t packets = 0;
    WallTime first;
  };

  void beginBlock(WallTime time);

  std::size_t m_mostBlocks;
  std::deque<Block> m_blocks;
  std::uint64_t m_pushed = 0;
  std::uint64_t m_discarded = 0;
  WallTime m_newest;
};

}  // namespace tcpscope
