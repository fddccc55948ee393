#include "collectors/host/host_access.h"

#include <linux/netlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

namespace {

int askEthtool(const std::string& interface, void* command) {
  ifreq request{};
  if (interface.size() >= sizeof request.ifr_name) return ENODEV;
  interface.copy(request.ifr_name, interface.size());
  request.ifr_data = static_cast<char*>(command);
  // Every kind of socket passes the command on; this is one that the agent's filter allows.
  const OwnedDescriptor any(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  if (!any || ioctl(any.get(), SIOCETHTOOL, &request) != 0) return errno;
  return 0;
}

}  // namespace

HostAccess ownHostAccess() {
  return {[](int protocol) { return NetlinkSocket::openFor(protocol); }, askEthtool};
}

UnknownReason reasonOf(const NetlinkError& error) {
  if (error.kind == NetlinkError::Kind::notSupported) return UnknownReason::notSupported;
  return reasonOf(error.number);
}

UnknownReason reasonOf(int number) {
  if (number == EPERM || number == EACCES) return UnknownReason::notPermitted;
  if (number == EOPNOTSUPP || number == ENOENT) return UnknownReason::notSupported;
  return UnknownReason::notReported;
}

}  // namespace tcpscope
