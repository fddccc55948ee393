// Lookahead into a source of bytes, and the position in it.
//
// Memory is what the longest lookahead needs, which the caller has to bound. The source's end or fault shows as fewer
// bytes than were asked for.
#pragma once

#include <vector>

#include "collectors/pcap/byte_source.h"

namespace tcpscope {

class InputWindow {
public:
  /// The source must live longer.
  explicit InputWindow(ByteSource& source);

  /// At least `size` bytes from here on, or all that come before the end. Valid until the next call.
  std::span<const std::byte> ahead(std::size_t size) {
    if (m_end - m_begin < size) fill(size);
    return std::span<const std::byte>(m_buffer).subspan(m_begin, m_end - m_begin);
  }
  /// Moves on by `size` bytes, of which all have been seen ahead.
  void take(std::size_t size) {
    m_begin += size;
    m_offset += size;
  }
  /// Goes to `offset`, forwards or back. False, and the end, where the source allows only one order.
  bool jumpTo(std::uint64_t offset);
  /// Skips `size` bytes; false where the source ends before.
  bool skip(std::uint64_t size);
  /// Bytes from here on into `out`, and moves on; fewer than its size only at the end.
  std::size_t read(std::span<std::byte> out);

  /// Bytes from the source's beginning up to here.
  [[nodiscard]] std::uint64_t offset() const { return m_offset; }
  /// Bytes from the source's beginning up to the last that has come.
  [[nodiscard]] std::uint64_t endOffset() const { return m_offset + (m_end - m_begin); }
  /// Has the source ended, or failed? Bytes may still wait.
  [[nodiscard]] bool sourceHasEnded() const { return m_isAtEnd; }
  /// Why it ended, where it should not have.
  [[nodiscard]] const std::optional<CaptureFault>& fault() const { return m_fault; }

private:
  void fill(std::size_t size);

  ByteSource& m_source;
  std::vector<std::byte> m_buffer;
  std::size_t m_begin = 0;
  std::size_t m_end = 0;
  std::uint64_t m_offset = 0;
  /// Bytes that are read at a time.
  std::size_t m_step;
  bool m_isAtEnd = false;
  std::optional<CaptureFault> m_fault;
};

}  // namespace tcpscope
