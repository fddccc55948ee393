#include "core/host/place.h"

#include <algorithm>

namespace tcpscope {

bool isBootId(std::string_view text) {
  constexpr std::size_t kLength = 36;
  const auto isAllowed = [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || letter == '-';
  };
  return text.size() == kLength && std::all_of(text.begin(), text.end(), isAllowed);
}

}  // namespace tcpscope
