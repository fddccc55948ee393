#include "core/diagnosis/evidence/wire_direction.h"

namespace tcpscope {

std::size_t WireDirections::residentBytes() const {
  std::size_t bytes = 0;
  for (const auto& direction : m_directions) {
    if (direction) bytes += direction->residentBytes();
  }
  return bytes;
}

}  // namespace tcpscope
