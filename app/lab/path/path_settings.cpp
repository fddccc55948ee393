#include "app/lab/path/path_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/invariant.h"

namespace tcpscope::lab {

namespace {

constexpr std::array<std::uint8_t, 3> kIpv4Network = {10, 77, 0};
constexpr std::array<std::uint8_t, 14> kIpv6Network = {0xfd, 0x77};
constexpr std::uint8_t kRouter = 254;

template <std::size_t kBytes>
bool isIn(const std::array<std::uint8_t, kBytes>& network, const IpAddress& address) {
  return std::equal(network.begin(), network.end(), address.bytes().begin());
}

}  // namespace

HostAddress hostAddress(std::size_t hostNumber) {
  TCPSCOPE_INVARIANT(hostNumber < kMostHosts);
  return {fmt::format("10.77.0.{}", hostNumber + 1), fmt::format("fd77::{:x}", hostNumber + 1)};
}

std::optional<std::size_t> hostWithAddress(const IpAddress& address) {
  std::size_t number = 0;
  if (address.family() == AddressFamily::ipv4) {
    if (!isIn(kIpv4Network, address)) return std::nullopt;
    number = address.bytes()[3];
  } else {
    if (!isIn(kIpv6Network, address)) return std::nullopt;
    number = static_cast<std::size_t>(address.bytes()[14]) << 8U | address.bytes()[15];
  }
  if (number == 0 || number > kMostHosts) return std::nullopt;
  return number - 1;
}

IpAddress routerAddress(AddressFamily family) {
  if (family == AddressFamily::ipv4) return IpAddress::v4({kIpv4Network[0], kIpv4Network[1], kIpv4Network[2], kRouter});
  std::array<std::uint8_t, 16> bytes{};
  std::copy(kIpv6Network.begin(), kIpv6Network.end(), bytes.begin());
  bytes[15] = kRouter;
  return IpAddress::v6(bytes);
}

}  // namespace tcpscope::lab
