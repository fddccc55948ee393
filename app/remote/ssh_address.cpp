#include "app/remote/ssh_address.h"

namespace tcpscope {

bool isSshAddress(std::string_view text) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@:[]%";
  return !text.empty() && text.size() <= 255 && text.front() != '-' &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

std::optional<std::string_view> sshAddress(std::string_view from) {
  constexpr std::string_view kScheme = "ssh://";
  if (!from.starts_with(kScheme)) return std::nullopt;
  return from.substr(kScheme.size());
}

}  // namespace tcpscope
