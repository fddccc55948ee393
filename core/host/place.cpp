#include "core/host/place.h"

#include <algorithm>

namespace tcpscope {

std::optional<std::string> Place::namespaceName() const {
  const bool isInode = networkNamespace.find_first_not_of("0123456789") == std::string::npos;
  return isInode ? std::nullopt : std::optional(networkNamespace);
}

bool isBootId(std::string_view text) {
  constexpr std::size_t kLength = 36;
  const auto isAllowed = [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || letter == '-';
  };
  return text.size() == kLength && std::all_of(text.begin(), text.end(), isAllowed);
}

}  // namespace tcpscope
