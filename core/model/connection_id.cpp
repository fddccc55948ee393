#include "core/model/connection_id.h"

#include <fmt/format.h>

namespace tcpscope {

std::string ConnectionId::toString() const {
  return fmt::format("{}:{:x}", place.number, cookie);
}

}  // namespace tcpscope
