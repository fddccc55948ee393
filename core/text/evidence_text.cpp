#include <fmt/format.h>

#include "core/text/sentences.h"

namespace tcpscope {

std::string sentence(const Evidence& evidence) {
  return fmt::format("{}: {:.4g}", evidence.key, evidence.value);
}

}  // namespace tcpscope
