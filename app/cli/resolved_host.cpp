#include "app/cli/resolved_host.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <array>
#include <cstring>
#include <memory>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

std::optional<IpAddress> addressOf(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in&>(address).sin_addr, bytes.size());
    return IpAddress::v4(bytes);
  }
  if (address.sa_family != AF_INET6) return std::nullopt;
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, bytes.size());
  return IpAddress::v6(bytes);
}

}  // namespace

Expected<std::vector<IpAddress>, ExitCode> resolveHost(const std::string& host) {
  if (const auto address = IpAddress::parse(host)) return std::vector{*address};
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* answers = nullptr;
  const int failure = getaddrinfo(host.c_str(), nullptr, &hints, &answers);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(answers, &freeaddrinfo);
  std::vector<IpAddress> addresses;
  for (const addrinfo* one = list.get(); one != nullptr; one = one->ai_next) {
    if (const auto address = addressOf(*one->ai_addr)) addresses.push_back(*address);
  }
  if (!addresses.empty()) return addresses;
  return Unexpected<ExitCode>(
      fail(ExitCode::notThere, fmt::format("cannot resolve '{}': {}; use another name or an address",
                                           forTerminal(UntrustedText(host)), gai_strerror(failure))));
}

Expected<std::set<PathPrefix>, ExitCode> pathsOfName(const std::string& word) {
  if (const auto path = PathPrefix::parse(word)) return std::set<PathPrefix>{*path};
  const std::string shown = forTerminal(UntrustedText(word));
  const auto failed = [](ExitCode code, const std::string& text) { return Unexpected<ExitCode>(fail(code, text)); };
  const auto noPath = [&] {
    return failed(ExitCode::notThere, "no path leads to '" + shown + "': it is this host, or only its own link");
  };
  if (IpAddress::parse(word)) return noPath();
  if (word.find('/') != std::string::npos) {
    return failed(ExitCode::wrongUsage,
                  "'" + shown + "' is not a network; use 192.0.2.0/24, 2001:db8::/48, an address or a name");
  }
  const auto addresses = resolveHost(word);
  if (!addresses) return Unexpected<ExitCode>(addresses.error());
  std::set<PathPrefix> paths;
  for (const IpAddress& address : *addresses) {
    if (const auto path = PathPrefix::of(address)) paths.insert(*path);
  }
  if (paths.empty()) return noPath();
  return paths;
}

}  // namespace tcpscope
