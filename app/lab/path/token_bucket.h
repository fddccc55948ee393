// What a policer counts with: bytes that may pass at once, filled up at the rate. It begins full.
#pragma once

#include <algorithm>
#include <optional>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope::lab {

class TokenBucket {
public:
  /// Takes the bytes out where they are in it. Rate and depth may differ from call to call.
  bool take(Bytes wanted, BitsPerSecond rate, Bytes depth, Moment now) {
    const auto full = static_cast<double>(depth.value());
    const double filled = m_at ? toSeconds(now - *m_at) * rate.value() / 8.0 : full;
    m_bytes = std::min(m_bytes + filled, full);
    m_at = now;
    const auto bytes = static_cast<double>(wanted.value());
    if (m_bytes < bytes) return false;
    m_bytes -= bytes;
    return true;
  }

private:
  double m_bytes = 0.0;
  std::optional<Moment> m_at;
};

}  // namespace tcpscope::lab
