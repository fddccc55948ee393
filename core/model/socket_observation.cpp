#include "core/model/socket_observation.h"

#include <algorithm>

namespace tcpscope {

CongestionControlName::CongestionControlName(std::string_view text)
    : m_size(static_cast<std::uint8_t>(std::min(text.size(), m_text.size()))) {
  std::copy_n(text.begin(), m_size, m_text.begin());
}

ProgramWaits together(const ProgramWaits& earlier, const ProgramWaits& later) {
  ProgramWaits both{earlier.from, later.until, earlier.forProcessor + later.forProcessor};
  if (earlier.majorFaults && later.majorFaults) both.majorFaults = *earlier.majorFaults + *later.majorFaults;
  if (earlier.softirqRatio && later.softirqRatio) {
    both.softirqRatio = std::min(*earlier.softirqRatio, *later.softirqRatio);
  }
  return both;
}

}  // namespace tcpscope
