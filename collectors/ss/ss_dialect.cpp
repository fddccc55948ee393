#include "collectors/ss/ss_dialect.h"

#include <charconv>

namespace tcpscope {

ReleaseNumber firstReleaseIn(std::string_view text) {
  const char* const end = text.data() + text.size();
  for (std::size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;
       at = text.find_first_of("0123456789", at)) {
    ReleaseNumber number;
    const auto major = std::from_chars(text.data() + at, end, number.major);
    const bool hasPoint = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
    if (hasPoint && std::from_chars(major.ptr + 1, end, number.minor).ec == std::errc()) return number;
    at = static_cast<std::size_t>(major.ptr - text.data());
  }
  return {};
}

}  // namespace tcpscope
