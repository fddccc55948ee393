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

}  // namespace tcpscope
