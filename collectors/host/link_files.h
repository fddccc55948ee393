// The link of an interface, as read from its files below /sys/class/net.
#pragma once

#include "collectors/host/file_values.h"

namespace tcpscope {

/// In Mbit/s; nothing where the device knows none, as without a carrier.
inline std::optional<std::int64_t> linkMegabits(const std::filesystem::path& folder) {
  const auto megabits = numberIn<std::int64_t>(firstLineOf(folder / "speed"));
  return megabits && *megabits > 0 ? megabits : std::nullopt;
}

/// "half", "full"; empty where it is not known.
inline std::string linkDuplex(const std::filesystem::path& folder) {
  std::string duplex = firstLineOf(folder / "duplex");
  return duplex == "half" || duplex == "full" ? duplex : std::string();
}

}  // namespace tcpscope
