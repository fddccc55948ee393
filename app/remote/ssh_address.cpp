#include "app/remote/ssh_address.h"

#include <algorithm>
#include <charconv>

#include "core/present/text/error_text.h"

namespace tcpscope {

namespace {

bool hasOnlyWordsAnd(std::string_view more, std::string_view text) {
  return std::all_of(text.begin(), text.end(), [more](char letter) {
    const bool isLetter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    return isLetter || (letter >= '0' && letter <= '9') || more.find(letter) != std::string_view::npos;
  });
}

bool isPort(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port <= 65'535;
}

/// "2001:db8::1", "fe80::1%eth0"; whether it is one is for ssh to find.
bool isIpv6(std::string_view host) {
  return std::count(host.begin(), host.end(), ':') >= 2 && host.front() != '-' && hasOnlyWordsAnd(":.%-_", host);
}

bool isName(std::string_view host) {
  return !host.empty() && host.front() != '-' && hasOnlyWordsAnd(".-_", host);
}

/// Host and, behind the last colon, port.
std::optional<SshAddress> placeOf(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos || !isIpv6(text.substr(1, end - 1))) return std::nullopt;
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && (rest.front() != ':' || !isPort(rest.substr(1)))) return std::nullopt;
    return SshAddress{{}, std::string(text.substr(1, end - 1)), std::string(rest.empty() ? rest : rest.substr(1))};
  }
  if (isIpv6(text)) return SshAddress{{}, std::string(text), {}};
  const std::size_t colon = text.find(':');
  const std::string_view host = text.substr(0, colon);
  const std::string_view port = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (!isName(host) || (colon != std::string_view::npos && !isPort(port))) return std::nullopt;
  return SshAddress{{}, std::string(host), std::string(port)};
}

}  // namespace

std::optional<SshAddress> parseSshAddress(std::string_view text) {
  constexpr std::size_t kLongest = 255;
  if (text.size() > kLongest) return std::nullopt;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view networkNamespace = text.substr(slash + 1);
    auto address = parseSshAddress(text.substr(0, slash));
    if (!address || !isName(networkNamespace) || networkNamespace.find_first_not_of('.') == std::string_view::npos)
      return std::nullopt;
    address->networkNamespace = networkNamespace;
    return address;
  }
  // The names of some directories have an @ themselves.
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return placeOf(text);
  const std::string_view user = text.substr(0, at);
  auto address = placeOf(text.substr(at + 1));
  if (!address || user.empty() || user.front() == '-' || !hasOnlyWordsAnd(".-_@", user)) return std::nullopt;
  address->user = user;
  return address;
}

std::optional<std::string> addressInNamespace(const std::string& host, const Place& networkNamespace) {
  const auto name = networkNamespace.namespaceName();
  if (!name) return std::nullopt;
  std::string address = loginOf(host) + '/' + *name;
  const auto parts = parseSshAddress(address);
  return parts && parts->entersNamespace() ? std::optional(std::move(address)) : std::nullopt;
}

std::optional<std::string_view> sshAddress(std::string_view from) {
  constexpr std::string_view kScheme = "ssh://";
  if (!from.starts_with(kScheme)) return std::nullopt;
  return from.substr(kScheme.size());
}

}  // namespace tcpscope
