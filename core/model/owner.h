// Which program holds a socket. Found from /proc by the owner collector, off the hot path.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/untrusted_text.h"

namespace tcpscope {

struct Owner {
  std::int32_t pid = 0;
  UntrustedText processName;
  /// Absent when the user id has no name here.
  std::optional<UntrustedText> userName;
  /// The systemd unit or the container the process runs in; absent when it is in none.
  std::optional<UntrustedText> unitOrContainer;

  auto operator<=>(const Owner&) const = default;
};

/// Longest text of an owner that is kept: every name of a process, a user or a unit is shorter.
inline constexpr std::size_t kMostOwnerTextBytes = 256;
/// Cuts longer texts. True where one was longer.
bool cutTexts(Owner& owner);
/// What it takes, its texts included.
std::size_t bytesOf(const Owner& owner);

}  // namespace tcpscope
