// One message of the kernel's socket diagnosis, from bytes to a SocketObservation. A pure function: what it is given is
// all that it looks at, and no byte is trusted.
//
// States without TCP_INFO (TIME-WAIT, SYN-RECEIVED) give an observation without one. Attributes that are not known here
// are skipped. `struct inet_diag_sockopt` says nothing of SO_BUF_LOCK in any kernel up to 6.18, so that bufferLocks
// stays empty.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/expected.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

enum class DiagProblem : std::uint8_t {
  /// Shorter than the fixed part.
  tooShort,
  /// Neither IPv4 nor IPv6.
  unknownFamily,
  /// An attribute's length goes over the end, or is below its own header.
  badAttribute,
};

/// What the bytes do not say.
struct DiagContext {
  PlaceId place;
  AccecnLayout accecnLayout = AccecnLayout::unknown;
  Moment takenAt;
};

/// Fills `observation`, which must be a fresh one; on a problem its content is not to be used. `payload` is what
/// follows the netlink header.
Expected<void, DiagProblem> decodeDiagMessage(std::span<const std::byte> payload, const DiagContext& context,
                                              SocketObservation& observation);

/// The layout that a kernel release ("6.18.44-generic") uses for the last bytes of TCP_INFO.
AccecnLayout accecnLayoutOf(std::string_view kernelRelease);

}  // namespace tcpscope
