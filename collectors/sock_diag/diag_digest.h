// 64 bits that stand for what a diagnosis message says, its ages and timers aside: an idle socket's digest stays the
// same from dump to dump, so that it is neither decoded nor handed on.
//
// Left out: the four `last_*` ages of TCP_INFO, and the kind and expiry of the running timer. Its retries count:
// nothing else changes of a request whose SYN-ACK is unanswered. Two different messages share a digest once in about
// 2^64; then one change is seen one dump later.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tcpscope {

/// What the change detection needs of a message, found in one pass.
struct DiagDigest {
  std::uint64_t cookie = 0;
  std::uint64_t digest = 0;
};

/// The attributes of a message up to TCP_INFO. Those of one dump nearly all have the same, and headers at known places
/// are compared faster than followed from one to the next.
class AttributeLayout {
public:
  /// Where the value of INET_DIAG_INFO begins, if it is long enough to hold ages; else the end of the message. The
  /// same whatever was asked before; `payload` holds the fixed part.
  std::size_t findTcpInfo(std::span<const std::byte> payload);

private:
  /// As many as the kernel puts before it, with room for some more; those of a longer message are followed each time.
  static constexpr std::size_t kMost = 24;
  struct Header {
    std::uint32_t at = 0;
    /// Length and type, as they are in the message.
    std::uint32_t bytes = 0;
  };

  [[nodiscard]] bool fits(std::span<const std::byte> payload) const;

  std::array<Header, kMost> m_headers;
  /// 0: nothing is known.
  std::size_t m_count = 0;
  std::size_t m_infoBegin = 0;
  std::size_t m_infoEnd = 0;
};

/// Nothing where the fixed part is not whole. A damaged attribute is digested as it is: the decoder will refuse it.
/// `layout` was that of another message and becomes that of this one.
std::optional<DiagDigest> digestOf(std::span<const std::byte> payload, AttributeLayout& layout);

}  // namespace tcpscope
