#include "collectors/sock_diag/netlink_socket.h"

#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

using Attempt = NetlinkError::Attempt;

Unexpected<NetlinkError> failure(Attempt attempt) {
  return Unexpected<NetlinkError>(netlinkError(attempt, errno));
}

Unexpected<NetlinkError> failureClosing(int descriptor, Attempt attempt) {
  const int number = errno;
  close(descriptor);
  return Unexpected<NetlinkError>(netlinkError(attempt, number));
}

/// Makes system calls only.
Expected<int, NetlinkError> openBoundDescriptor(int protocol) noexcept {
  const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
  if (descriptor < 0) return failure(Attempt::open);
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return descriptor;
  return failureClosing(descriptor, Attempt::bind);
}

constexpr int kEventBufferBytes = 1 << 20;
constexpr std::array<int, 2> kDestroyGroups{SKNLGRP_INET_TCP_DESTROY, SKNLGRP_INET6_TCP_DESTROY};

}  // namespace

NetlinkError netlinkError(NetlinkError::Attempt attempt, int number) {
  using Kind = NetlinkError::Kind;
  Kind kind = Kind::failed;
  if (number == ENOBUFS) kind = Kind::overflow;
  if (number == ENOSPC) kind = Kind::truncated;
  if (number == EAGAIN || number == EWOULDBLOCK) kind = Kind::nothingWaiting;
  if (number == EPERM || number == EACCES) kind = Kind::notPermitted;
  if (number == EPROTONOSUPPORT || number == EAFNOSUPPORT || number == ENOPROTOOPT || number == EOPNOTSUPP)
    kind = Kind::notSupported;
  if (attempt == Attempt::enterNamespace && (number == ENOENT || number == ESRCH)) kind = Kind::noSuchNamespace;
  return {kind, attempt, number};
}

void NetlinkSocket::Close::operator()(mnl_socket* socket) const {
  mnl_socket_close(socket);
}

Expected<int, NetlinkError> openDiagDescriptor(DiagSocketUse use) noexcept {
  const Expected<int, NetlinkError> bound = openBoundDescriptor(NETLINK_SOCK_DIAG);
  if (!bound || use != DiagSocketUse::destroyEvents) return bound;
  // A burst of closing connections is to fit; the kernel gives as much as it allows.
  setsockopt(*bound, SOL_SOCKET, SO_RCVBUF, &kEventBufferBytes, sizeof kEventBufferBytes);
  for (const int group : kDestroyGroups) {
    if (setsockopt(*bound, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) != 0) {
      return failureClosing(*bound, Attempt::joinGroup);
    }
  }
  return bound;
}

Expected<NetlinkChannelPointer, NetlinkError> NetlinkSocket::openFor(int protocol) {
  return openBoundDescriptor(protocol).and_then(adopt);
}

Expected<NetlinkChannelPointer, NetlinkError> NetlinkSocket::open() {
  return openDiagDescriptor(DiagSocketUse::requests).and_then(adopt);
}

Expected<NetlinkChannelPointer, NetlinkError> NetlinkSocket::openDestroyEvents() {
  return openDiagDescriptor(DiagSocketUse::destroyEvents).and_then(adopt);
}

Expected<NetlinkChannelPointer, NetlinkError> NetlinkSocket::adopt(int descriptor) {
  Handle handle(mnl_socket_fdopen(descriptor));
  if (!handle) return failureClosing(descriptor, Attempt::open);
  // The kernel is its only peer from now on: no other process can send to it, and a request names no address.
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) != 0)
    return failure(Attempt::open);
  return NetlinkChannelPointer(new NetlinkSocket(std::move(handle)));
}

// libmnl's own calls carry addresses both ways, which costs some percent of a sample.

Expected<void, NetlinkError> NetlinkSocket::send(std::span<const std::byte> message) {
  if (::send(descriptor(), message.data(), message.size(), 0) < 0) return failure(Attempt::send);
  return {};
}

Expected<std::size_t, NetlinkError> NetlinkSocket::receive(std::span<std::byte> buffer) {
  ssize_t size = 0;
  do {
    // With MSG_TRUNC, how long the datagram is, even where the buffer is shorter.
    size = recv(descriptor(), buffer.data(), buffer.size(), MSG_TRUNC);
  } while (size < 0 && errno == EINTR);
  if (size < 0) return failure(Attempt::receive);
  const auto bytes = static_cast<std::size_t>(size);
  if (bytes > buffer.size()) return Unexpected<NetlinkError>(netlinkError(Attempt::receive, ENOSPC));
  return bytes;
}

bool NetlinkSocket::waitReadable(Milliseconds timeout) {
  pollfd entry{descriptor(), POLLIN, 0};
  return poll(&entry, 1, static_cast<int>(timeout.count())) > 0;
}

int NetlinkSocket::descriptor() const {
  return mnl_socket_get_fd(m_handle.get());
}

std::uint32_t NetlinkSocket::portId() const {
  return mnl_socket_get_portid(m_handle.get());
}

SockDiagAccess ownSockDiagAccess() {
  return {[] { return NetlinkSocket::open(); }, [] { return NetlinkSocket::openDestroyEvents(); }, monotonicNow};
}

}  // namespace tcpscope
