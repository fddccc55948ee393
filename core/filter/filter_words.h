// The vocabulary of the filter: names of states, services and limits, addresses with prefixes.
//
// Each reader takes one word and gives nothing where the word does not fit; the parser says so with its place.
#pragma once

#include <optional>
#include <string_view>

#include "core/filter/connection_filter.h"
#include "core/model/metric_words.h"

namespace tcpscope {

/// Bit n set for kernel state n, as ss names them: established, syn-sent, …, and the sets all, connected, synchronized,
/// bucket, big. Case and underscores do not matter.
std::optional<std::uint32_t> stateSet(std::string_view word);
inline constexpr std::uint32_t kAllStates = 0x1ffe;

/// "443", ":443", "https", ":https".
std::optional<std::uint16_t> portNumber(std::string_view word);

/// What `src` and `dst` compare with: "10/8", "192.0.2.1:443", "[2001:db8::]/32", "*:443", ":443", "*".
struct HostPattern {
  IpAddress network;
  unsigned prefixBits = 0;
  bool anyAddress = false;
  std::optional<std::uint16_t> port;
};
Expected<HostPattern, FilterError::Kind> hostPattern(std::string_view word);

/// "receiver", "send_buffer" or "send-buffer", ….
std::optional<Limit> limitWord(std::string_view word);

}  // namespace tcpscope
