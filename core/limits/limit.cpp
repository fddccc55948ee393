#include "core/limits/limit.h"

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
    case Limit::unknown:
      break;
  }
  return "unknown";
}

LimitShares& LimitShares::operator+=(const LimitShares& other) {
  for (std::size_t index = 0; index < kLimitCount; ++index) m_spans[index] += other.m_spans[index];
  return *this;
}

Nanoseconds LimitShares::observed() const {
  Nanoseconds sum{0};
  for (const Nanoseconds span : m_spans) sum += span;
  return sum;
}

double LimitShares::ratio(Limit limit) const {
  const Nanoseconds whole = observed();
  if (whole <= Nanoseconds::zero()) return 0.0;
  return static_cast<double>(span(limit).count()) / static_cast<double>(whole.count());
}

Limit LimitShares::largest() const {
  if (observed() <= Nanoseconds::zero()) return Limit::unknown;
  const auto largestSpan = std::max_element(m_spans.begin(), m_spans.end());
  return kLimits[static_cast<std::size_t>(largestSpan - m_spans.begin())];
}

}  // namespace tcpscope
