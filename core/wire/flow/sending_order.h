// Which of two segments of the same end was sent first, whatever order they came in: by their timestamps (RFC 7323),
// and where these are equal or missing by the identifications of their IP headers, in which many stacks count packets.
//
// Others draw identifications by lot, or leave them 0: what lies far apart says nothing.
#pragma once

#include <optional>

#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

struct SendingOrder {
  /// 0 where the segment carried none.
  std::uint32_t timestamp = 0;
  /// Of IPv4; 0 where it says nothing.
  std::uint16_t identification = 0;

  /// Nothing if neither decides.
  [[nodiscard]] std::optional<bool> isAfter(const SendingOrder& other) const {
    if (timestamp != 0 && other.timestamp != 0 && timestamp != other.timestamp) {
      return isBefore(other.timestamp, timestamp);
    }
    constexpr int kFar = 1024;
    if (identification == 0 || other.identification == 0) return std::nullopt;
    const auto step = static_cast<std::int16_t>(identification - other.identification);
    if (step == 0 || step > kFar || step < -kFar) return std::nullopt;
    return step > 0;
  }
};

}  // namespace tcpscope
