#include "app/lab/host/link_request.h"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/lab/host/set_up_error.h"
#include "core/model/endpoint.h"

namespace tcpscope::lab {

namespace {

/// One request about devices or addresses, and the kernel's yes or no.
class RouteRequest {
public:
  RouteRequest(std::uint16_t type, std::uint16_t flags) : m_header(mnl_nlmsg_put_header(m_buffer.data())) {
    m_header->nlmsg_type = type;
    m_header->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
  }
  /// The message's fixed part, zeroed.
  template <class Extra>
  Extra* put() {
    return static_cast<Extra*>(mnl_nlmsg_put_extra_header(m_header, sizeof(Extra)));
  }
  [[nodiscard]] nlmsghdr* header() { return m_header; }

  Expected<void, LabError> send(const char* what) {
    const std::unique_ptr<mnl_socket, int (*)(mnl_socket*)> socket(mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC),
                                                                   mnl_socket_close);
    if (!socket || mnl_socket_bind(socket.get(), 0, MNL_SOCKET_AUTOPID) < 0) return setUpError(what);
    if (mnl_socket_sendto(socket.get(), m_header, m_header->nlmsg_len) < 0) return setUpError(what);
    const ssize_t length = mnl_socket_recvfrom(socket.get(), m_buffer.data(), m_buffer.size());
    if (length < 0) return setUpError(what);
    const unsigned port = mnl_socket_get_portid(socket.get());
    if (mnl_cb_run(m_buffer.data(), static_cast<std::size_t>(length), 0, port, nullptr, nullptr) < 0) {
      return setUpError(what);
    }
    return {};
  }

private:
  alignas(nlmsghdr) std::array<char, 4096> m_buffer{};
  nlmsghdr* m_header;
};

}  // namespace

Expected<void, LabError> setTransmitQueue(int deviceIndex, std::uint32_t packets) {
  RouteRequest request(RTM_NEWLINK, 0);
  request.put<ifinfomsg>()->ifi_index = deviceIndex;
  mnl_attr_put_u32(request.header(), IFLA_TXQLEN, packets);
  return request.send("the transmit queue");
}

Expected<void, LabError> addIpv6(int deviceIndex, const std::string& address, std::uint8_t prefixBits) {
  in6_addr parsed{};
  if (inet_pton(AF_INET6, address.c_str(), &parsed) != 1) {
    errno = EINVAL;
    return setUpError("the address " + address);
  }
  RouteRequest request(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL);
  auto* const fixed = request.put<ifaddrmsg>();
  fixed->ifa_family = AF_INET6;
  fixed->ifa_prefixlen = prefixBits;
  fixed->ifa_index = static_cast<std::uint32_t>(deviceIndex);
  mnl_attr_put(request.header(), IFA_LOCAL, sizeof parsed, &parsed);
  mnl_attr_put_u32(request.header(), IFA_FLAGS, IFA_F_NODAD);
  return request.send("an IPv6 address");
}

Expected<void, LabError> setRouteMetrics(int deviceIndex, const std::string& address, std::uint8_t prefixBits,
                                         const RouteMetrics& metrics) {
  // Where the kernel has put the route itself: only one that agrees in this is replaced.
  constexpr std::uint32_t kPriorityOfIpv6 = 256;
  const auto parsed = IpAddress::parse(address);
  if (!parsed) {
    errno = EINVAL;
    return setUpError("the address " + address);
  }
  const bool isIpv4 = parsed->family() == AddressFamily::ipv4;
  const std::size_t length = isIpv4 ? 4 : 16;
  auto network = parsed->bytes();
  std::fill(network.begin() + prefixBits / 8, network.end(), std::uint8_t{0});
  RouteRequest request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE);
  auto* const fixed = request.put<rtmsg>();
  fixed->rtm_family = isIpv4 ? AF_INET : AF_INET6;
  fixed->rtm_dst_len = prefixBits;
  fixed->rtm_table = RT_TABLE_MAIN;
  fixed->rtm_protocol = RTPROT_STATIC;
  fixed->rtm_scope = isIpv4 ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
  fixed->rtm_type = RTN_UNICAST;
  nlmsghdr* const header = request.header();
  mnl_attr_put(header, RTA_DST, length, network.data());
  mnl_attr_put_u32(header, RTA_OIF, static_cast<std::uint32_t>(deviceIndex));
  if (isIpv4) mnl_attr_put(header, RTA_PREFSRC, length, parsed->bytes().data());
  if (!isIpv4) mnl_attr_put_u32(header, RTA_PRIORITY, kPriorityOfIpv6);
  nlattr* const values = mnl_attr_nest_start(header, RTA_METRICS);
  if (const auto& clamp = metrics.congestionWindowClamp) {
    mnl_attr_put_u32(header, RTAX_LOCK, 1U << RTAX_CWND);
    mnl_attr_put_u32(header, RTAX_CWND, static_cast<std::uint32_t>(clamp->value()));
  }
  if (const auto& window = metrics.initialCongestionWindow) {
    mnl_attr_put_u32(header, RTAX_INITCWND, static_cast<std::uint32_t>(window->value()));
  }
  mnl_attr_nest_end(header, values);
  return request.send("the metrics of a route");
}

Expected<void, LabError> makeVirtualEthernet(const std::string& device, const std::string& farDevice,
                                             int farNamespace) {
  RouteRequest request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
  request.put<ifinfomsg>();
  nlmsghdr* const header = request.header();
  mnl_attr_put_strz(header, IFLA_IFNAME, device.c_str());
  nlattr* const kind = mnl_attr_nest_start(header, IFLA_LINKINFO);
  mnl_attr_put_strz(header, IFLA_INFO_KIND, "veth");
  nlattr* const details = mnl_attr_nest_start(header, IFLA_INFO_DATA);
  nlattr* const far = mnl_attr_nest_start(header, VETH_INFO_PEER);
  // The far device is described as in a message of its own.
  request.put<ifinfomsg>();
  mnl_attr_put_strz(header, IFLA_IFNAME, farDevice.c_str());
  mnl_attr_put_u32(header, IFLA_NET_NS_FD, static_cast<std::uint32_t>(farNamespace));
  mnl_attr_nest_end(header, far);
  mnl_attr_nest_end(header, details);
  mnl_attr_nest_end(header, kind);
  return request.send("a pair of virtual Ethernet devices");
}

}  // namespace tcpscope::lab
