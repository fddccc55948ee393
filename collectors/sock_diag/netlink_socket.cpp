#include "collectors/sock_diag/netlink_socket.h"

#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace tcpscope {

namespace {

using Attempt = NetlinkError::Attempt;

Unexpected<NetlinkError> failure(Attempt attempt) {
  return Unexpected<NetlinkError>(netlinkError(attempt, errno));
}

}  // namespace

NetlinkError netlinkError(NetlinkError::Attempt attempt, int number) {
  using Kind = NetlinkError::Kind;
  Kind kind = Kind::failed;
  if (number == ENOBUFS) kind = Kind::overflow;
  if (number == ENOSPC) kind = Kind::truncated;
  if (number == EAGAIN || number == EWOULDBLOCK) kind = Kind::nothingWaiting;
  if (number == EPERM || number == EACCES) kind = Kind::notPermitted;
  if (number == EPROTONOSUPPORT || number == EAFNOSUPPORT || number == ENOPROTOOPT) kind = Kind::notSupported;
  if (attempt == Attempt::enterNamespace && (number == ENOENT || number == ESRCH)) kind = Kind::noSuchNamespace;
  return {kind, attempt, number};
}

void NetlinkSocket::Close::operator()(mnl_socket* socket) const {
  mnl_socket_close(socket);
}

Expected<NetlinkSocket::Handle, NetlinkError> NetlinkSocket::openBound() {
  Handle handle(mnl_socket_open2(NETLINK_SOCK_DIAG, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!handle) return failure(Attempt::open);
  if (mnl_socket_bind(handle.get(), 0, MNL_SOCKET_AUTOPID) < 0) return failure(Attempt::bind);
  return handle;
}

Expected<NetlinkChannelPointer, NetlinkError> NetlinkSocket::open() {
  Expected<Handle, NetlinkError> handle = openBound();
  if (!handle) return Unexpected<NetlinkError>(handle.error());
  return NetlinkChannelPointer(new NetlinkSocket(std::move(*handle)));
}

Expected<NetlinkChannelPointer, NetlinkError> NetlinkSocket::openDestroyEvents() {
  Expected<Handle, NetlinkError> handle = openBound();
  if (!handle) return Unexpected<NetlinkError>(handle.error());
  for (int group : {SKNLGRP_INET_TCP_DESTROY, SKNLGRP_INET6_TCP_DESTROY}) {
    if (mnl_socket_setsockopt(handle->get(), NETLINK_ADD_MEMBERSHIP, &group, sizeof group) < 0) {
      return failure(Attempt::joinGroup);
    }
  }
  return NetlinkChannelPointer(new NetlinkSocket(std::move(*handle)));
}

Expected<NetlinkChannelPointer, NetlinkError> NetlinkSocket::adopt(int descriptor) {
  Handle handle(mnl_socket_fdopen(descriptor));
  if (!handle) {
    const int number = errno;
    ::close(descriptor);
    return Unexpected<NetlinkError>(netlinkError(Attempt::open, number));
  }
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return failure(Attempt::open);
  return NetlinkChannelPointer(new NetlinkSocket(std::move(handle)));
}

Expected<void, NetlinkError> NetlinkSocket::send(std::span<const std::byte> message) {
  if (mnl_socket_sendto(m_handle.get(), message.data(), message.size()) < 0) return failure(Attempt::send);
  return {};
}

Expected<std::size_t, NetlinkError> NetlinkSocket::receive(std::span<std::byte> buffer) {
  ssize_t size = 0;
  do {
    size = mnl_socket_recvfrom(m_handle.get(), buffer.data(), buffer.size());
  } while (size < 0 && errno == EINTR);
  if (size < 0) return failure(Attempt::receive);
  return static_cast<std::size_t>(size);
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

Moment monotonicNow() {
  // steady_clock is CLOCK_MONOTONIC in both standard libraries on Linux.
  return Moment::fromNanoseconds(
      std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

SockDiagAccess ownSockDiagAccess() {
  return {[] { return NetlinkSocket::open(); }, [] { return NetlinkSocket::openDestroyEvents(); }, monotonicNow};
}

}  // namespace tcpscope
