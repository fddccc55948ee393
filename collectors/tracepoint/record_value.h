// Numbers in what the kernel wrote to the ring, in the byte order of this machine.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace tcpscope {

/// `bytes` holds at least `offset` + sizeof(Value) of them; they may lie anywhere.
template <class Value>
Value valueAt(std::span<const std::byte> bytes, std::size_t offset) {
  Value value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace tcpscope
