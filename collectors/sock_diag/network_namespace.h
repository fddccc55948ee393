// Diagnosis sockets and files of another network namespace. A threaded process cannot enter one that belongs to another
// user namespace, so that a child with a single thread enters, opens and passes the descriptor back; what it names
// stays in the namespace where it was opened.
//
// Entering needs CAP_SYS_ADMIN over the namespace; the owner of a user namespace has it inside his own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

/// Where a namespace is found: a name under /run/netns, or a process that lives in it.
class NetworkNamespace {
public:
  /// A number is a process, everything else a name. Nothing for a text that can be neither.
  static std::optional<NetworkNamespace> parse(std::string_view nameOrPid);
  /// The one that this descriptor of the process names, as long as it is open.
  static NetworkNamespace of(const OwnedDescriptor& descriptor);

  /// "/run/netns/NAME", "/proc/PID/ns/net" or "/proc/self/fd/NUMBER".
  [[nodiscard]] const std::string& path() const { return m_path; }

private:
  explicit NetworkNamespace(std::string path) : m_path(std::move(path)) {}

  std::string m_path;
};

/// The descriptor names the network namespace with this inode: a PID may be another process's by now, and a file in
/// /run/netns may be no namespace any more.
bool isNetworkNamespace(const OwnedDescriptor& descriptor, std::uint64_t inode);

/// For a process with a single thread: enters the namespace of this file, by way of the user namespace that owns it
/// where need be. Only system calls, so that the child of a threaded process may call it; errno where it fails.
bool enterNetworkNamespace(const char* path);

/// The same process afterwards: back to `own`, or where it may not, into a new and empty namespace, so that its being
/// there is not what keeps the entered one in the list of this host's. Sockets that it opened stay where they are.
void leaveNetworkNamespace(const OwnedDescriptor& own);

/// A descriptor opened inside the namespace. Fails with `noSuchNamespace` or `notPermitted` among others.
Expected<NetlinkChannelPointer, NetlinkError> openInNamespace(const NetworkNamespace& where, DiagSocketUse use);
/// A file for reading that shows there what is of the namespace, as /proc/self/net does.
Expected<OwnedDescriptor, NetlinkError> openInNamespace(const NetworkNamespace& where, const char* file);

SockDiagAccess sockDiagAccessIn(const NetworkNamespace& where);

}  // namespace tcpscope
