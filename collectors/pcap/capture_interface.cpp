#include "collectors/pcap/capture_interface.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <cstring>
#include <memory>

namespace tcpscope {

namespace {

std::optional<IpAddress> addressOf(const sockaddr* address) {
  if (address == nullptr) return std::nullopt;
  if (address->sa_family == AF_INET) {
    sockaddr_in ipv4{};
    std::memcpy(&ipv4, address, sizeof ipv4);
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &ipv4.sin_addr, bytes.size());
    return IpAddress::v4(bytes);
  }
  if (address->sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 ipv6{};
  std::memcpy(&ipv6, address, sizeof ipv6);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &ipv6.sin6_addr, bytes.size());
  return IpAddress::v6(bytes);
}

}  // namespace

std::string captureInterfaceOf(const IpAddress& local, const IpAddress& remote) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return "any";
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(all, &freeifaddrs);
  std::string ofLocal;
  std::string ofLoopback;
  bool isRemoteHere = remote.unmapped().isLoopback();
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    const auto address = addressOf(one->ifa_addr);
    if ((one->ifa_flags & IFF_LOOPBACK) != 0 && ofLoopback.empty()) ofLoopback = one->ifa_name;
    if (!address) continue;
    if (*address == local.unmapped()) ofLocal = one->ifa_name;
    if (*address == remote.unmapped()) isRemoteHere = true;
  }
  // What a host sends to itself passes its loopback interface, whatever the address.
  if (isRemoteHere && !ofLoopback.empty()) return ofLoopback;
  return ofLocal.empty() ? "any" : ofLocal;
}

}  // namespace tcpscope
