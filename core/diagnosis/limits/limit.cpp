#include "core/diagnosis/limits/limit.h"

#include <algorithm>

namespace tcpscope {

std::string_view name(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return "receiver";
    case Limit::sendBuffer:
      return "send_buffer";
    case Limit::network:
      return "network";
    case Limit::recovery:
      return "recovery";
    case Limit::timeout:
      return "timeout";
    case Limit::application:
      return "application";
    case Limit::idle:
      return "idle";
    case Limit::opening:
      return "opening";
    case Limit::stalled:
      return "stalled";
    case Limit::unknown:
      break;
  }
  return "unknown";
}

Limit LimitShares::largest() const {
  if (observed() <= Nanoseconds::zero()) return Limit::unknown;
  const auto largestSpan = std::max_element(m_spans.begin(), m_spans.end());
  return kLimits[static_cast<std::size_t>(largestSpan - m_spans.begin())];
}

}  // namespace tcpscope
