#include "app/lab/host/link_request.h"

#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>

#include <array>
#include <memory>

#include "app/lab/host/set_up_error.h"

namespace tcpscope::lab {

namespace {

/// One request about a device, and the kernel's yes or no.
class LinkRequest {
public:
  LinkRequest(std::uint16_t type, std::uint16_t flags, int deviceIndex)
      : m_header(mnl_nlmsg_put_header(m_buffer.data())) {
    m_header->nlmsg_type = type;
    m_header->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
    auto* const link = static_cast<ifinfomsg*>(mnl_nlmsg_put_extra_header(m_header, sizeof(ifinfomsg)));
    link->ifi_family = AF_UNSPEC;
    link->ifi_index = deviceIndex;
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
  LinkRequest request(RTM_NEWLINK, 0, deviceIndex);
  mnl_attr_put_u32(request.header(), IFLA_TXQLEN, packets);
  return request.send("the transmit queue");
}

}  // namespace tcpscope::lab
