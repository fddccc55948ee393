// What `ss -tinmea` prints of one socket, as an observation: a pure function of the text.
//
// ss prints a socket in one line (-O, iproute2 5) or in two, of which the second is indented: both are one text here.
// What ss does not print is not known (ss_field.h). The socket's interface is printed by name only and is left out.
#pragma once

#include <optional>
#include <string_view>

#include "collectors/ss/ss_dialect.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// Longer texts are no socket's.
inline constexpr std::size_t kMaxSsSocketText = 16U << 10U;

struct SsSocket {
  /// Place and moments are the caller's.
  SocketObservation observation;
  /// Of everything but the ages and the timer, which change while nothing happens.
  std::uint64_t digest = 0;
};

/// Nothing where the text is not that of a socket, or names no cookie.
std::optional<SsSocket> parseSsSocket(std::string_view text, const SsDialect& dialect);

}  // namespace tcpscope
