// Values of netlink attributes: numbers of their full size, and text without its end.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "collectors/sock_diag/netlink_message.h"
#include "core/base/untrusted_text.h"

namespace tcpscope {

/// The structure that a message or an attribute begins with; nothing where there are fewer bytes.
template <class Value>
std::optional<Value> valueAtStart(std::span<const std::byte> bytes) {
  Value value{};
  if (bytes.size() < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// Up to the first zero byte, and at most `most` bytes.
inline UntrustedText textIn(std::span<const std::byte> bytes, std::size_t most = 256) {
  const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
  const auto size = std::min(static_cast<std::size_t>(end - bytes.begin()), most);
  return UntrustedText(std::string(reinterpret_cast<const char*>(bytes.data()), size));
}

}  // namespace tcpscope
