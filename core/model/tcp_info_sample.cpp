#include "core/model/tcp_info_sample.h"

#include <algorithm>

namespace tcpscope {

TcpInfoSample::TcpInfoSample(std::span<const std::byte> bytes, AccecnLayout layout, const TcpInfoHoles& holes)
    : m_size(static_cast<std::uint16_t>(std::min(bytes.size(), m_bytes.size()))),
      m_accecnLayout(layout),
      m_holes(holes) {
  std::copy_n(bytes.begin(), m_size, m_bytes.begin());
}

AccecnFields TcpInfoSample::accecnFields() const {
  const std::optional<std::uint32_t> raw = read(tcp_info::kAccecnBytes);
  if (!raw) return {};
  switch (m_accecnLayout) {
    case AccecnLayout::linux618:
      return {Count(*raw & 0xffffU), Count(*raw >> 16)};
    case AccecnLayout::linux70:
      return {Count(*raw >> 4 & 15U), Count(*raw >> 2 & 3U)};
    case AccecnLayout::unknown:
      break;
  }
  return {};
}

std::string_view name(CaState state) {
  switch (state) {
    case CaState::open:
      return "open";
    case CaState::disorder:
      return "disorder";
    case CaState::congestionWindowReduced:
      return "cwr";
    case CaState::recovery:
      return "recovery";
    case CaState::loss:
      return "loss";
    case CaState::unknown:
      break;
  }
  return "unknown";
}

}  // namespace tcpscope
