// 64 bits that stand for what a diagnosis message says, its ages and timers aside: an idle socket's digest stays the
// same from dump to dump, so that it is neither decoded nor handed on.
//
// Left out: the four `last_*` ages of TCP_INFO, and the kind and expiry of the running timer. Its retries count:
// nothing else changes of a request whose SYN-ACK is unanswered. Two different messages share a digest once in about
// 2^64; then one change is seen one dump later.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tcpscope {

/// What the change detection needs of a message, found in one pass.
struct DiagDigest {
  std::uint64_t cookie = 0;
  std::uint64_t digest = 0;
};

/// Nothing where the fixed part is not whole. A damaged attribute is digested as it is: the decoder will refuse it.
std::optional<DiagDigest> digestOf(std::span<const std::byte> payload);

}  // namespace tcpscope
