#include "app/lab/host/device_control.h"

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstring>

#include "app/lab/host/set_up_error.h"

namespace tcpscope::lab {

namespace {

ifreq requestFor(const std::string& device) {
  ifreq request{};
  device.copy(request.ifr_name, IFNAMSIZ - 1);
  return request;
}

void putAddress(ifreq& request, const in_addr& address) {
  sockaddr_in socketAddress{};
  socketAddress.sin_family = AF_INET;
  socketAddress.sin_addr = address;
  std::memcpy(&request.ifr_addr, &socketAddress, sizeof socketAddress);
}

}  // namespace

Expected<DeviceControl, LabError> DeviceControl::open() {
  OwnedDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return setUpError("a socket for devices");
  return DeviceControl(std::move(socket));
}

Expected<void, LabError> DeviceControl::call(unsigned long operation, ifreq& request, const char* what) {
  if (ioctl(m_socket.get(), operation, &request) != 0) return setUpError(std::string(what) + " of " + request.ifr_name);
  return {};
}

Expected<void, LabError> DeviceControl::addFlags(const std::string& device, int flags) {
  ifreq request = requestFor(device);
  if (auto read = call(SIOCGIFFLAGS, request, "the flags"); !read) return read;
  request.ifr_flags = static_cast<short>(request.ifr_flags | flags);
  return call(SIOCSIFFLAGS, request, "the flags");
}

Expected<void, LabError> DeviceControl::setUp(const std::string& device) {
  return addFlags(device, IFF_UP);
}

Expected<void, LabError> DeviceControl::switchOffResolution(const std::string& device) {
  return addFlags(device, IFF_NOARP);
}

Expected<void, LabError> DeviceControl::setMtu(const std::string& device, Bytes mtu) {
  ifreq request = requestFor(device);
  request.ifr_mtu = static_cast<int>(mtu.value());
  return call(SIOCSIFMTU, request, "the MTU");
}

Expected<void, LabError> DeviceControl::addIpv4(const std::string& device, const std::string& address,
                                                unsigned prefixBits) {
  in_addr parsed{};
  if (inet_pton(AF_INET, address.c_str(), &parsed) != 1) {
    errno = EINVAL;
    return setUpError("the address " + address);
  }
  ifreq request = requestFor(device);
  putAddress(request, parsed);
  if (auto set = call(SIOCSIFADDR, request, "the address"); !set) return set;
  putAddress(request, in_addr{htonl(prefixBits == 0 ? 0 : ~0U << (32 - prefixBits))});
  return call(SIOCSIFNETMASK, request, "the network mask");
}

Expected<HardwareAddress, LabError> DeviceControl::hardwareAddress(const std::string& device) {
  ifreq request = requestFor(device);
  if (const auto read = call(SIOCGIFHWADDR, request, "the hardware address"); !read) {
    return tl::unexpected(read.error());
  }
  HardwareAddress address;
  std::memcpy(address.data(), request.ifr_hwaddr.sa_data, address.size());
  return address;
}

Expected<int, LabError> DeviceControl::index(const std::string& device) {
  ifreq request = requestFor(device);
  if (const auto read = call(SIOCGIFINDEX, request, "the index"); !read) return tl::unexpected(read.error());
  return request.ifr_ifindex;
}

Expected<void, LabError> DeviceControl::switchOffOffloads(const std::string& device) {
  for (const int command : {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO, ETHTOOL_STXCSUM, ETHTOOL_SRXCSUM}) {
    ethtool_value value{static_cast<std::uint32_t>(command), 0};
    ifreq request = requestFor(device);
    request.ifr_data = reinterpret_cast<char*>(&value);
    if (auto off = call(SIOCETHTOOL, request, "the offloads"); !off) return off;
  }
  return {};
}

}  // namespace tcpscope::lab
