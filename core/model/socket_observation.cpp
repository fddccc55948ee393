#include "core/model/socket_observation.h"

#include <algorithm>

namespace tcpscope {

CongestionControlName::CongestionControlName(std::string_view text)
    : m_size(static_cast<std::uint8_t>(std::min(text.size(), m_text.size()))) {
  std::copy_n(text.begin(), m_size, m_text.begin());
}

}  // namespace tcpscope
