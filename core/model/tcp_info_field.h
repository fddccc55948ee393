// Where a variable of the kernel's `struct tcp_info` lies, how wide it is on the wire, and which unit it turns into.
//
// A field exists if and only if the kernel sent all of its bytes: the received length decides, never sizeof. Bytes are
// in the host's order, as in the netlink attribute.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace tcpscope {

/// `Wire` is the unsigned type on the wire, `Value` what a reader gets, `kConvert` turns one into the other (an empty
/// optional where the kernel's number means "not set").
template <class Value, class Wire, std::optional<Value> (*kConvert)(Wire)>
struct TcpInfoField {
  using ValueType = Value;
  static constexpr std::size_t kSize = sizeof(Wire);
  std::uint16_t offset;

  [[nodiscard]] constexpr std::size_t end() const { return offset + kSize; }

  /// Always inline as the fields of TcpInfoSample are.
  [[nodiscard, gnu::always_inline]] std::optional<Value> read(std::span<const std::byte> bytes) const {
    if (bytes.size() < end()) return std::nullopt;
    Wire raw;
    std::memcpy(&raw, bytes.data() + offset, sizeof raw);
    return kConvert(raw);
  }
};

}  // namespace tcpscope
