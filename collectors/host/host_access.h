// The kernel interfaces that are not files, as functions: readers of the host ask through them. Tests substitute their
// own; an empty function never answers.
#pragma once

#include <functional>
#include <string>

#include "collectors/sock_diag/netlink_channel.h"
#include "core/host/reported.h"

namespace tcpscope {

struct HostAccess {
  /// A bound channel of this protocol: NETLINK_ROUTE, NETLINK_GENERIC.
  std::function<Expected<NetlinkChannelPointer, NetlinkError>(int protocol)> openNetlink;
  /// SIOCETHTOOL with a structure of include/uapi/linux/ethtool.h, whose first word is the command: 0 or errno.
  std::function<int(const std::string& interface, void* command)> ethtool;
};

/// Those of the caller's own network namespace. Neither asks for a right.
HostAccess ownHostAccess();

UnknownReason reasonOf(const NetlinkError& error);
/// Of an errno that the kernel refused a question with.
UnknownReason reasonOf(int number);

}  // namespace tcpscope
