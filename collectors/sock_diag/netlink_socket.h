// A netlink socket by libmnl, of the diagnosis family unless another one is asked for. It belongs to the network
// namespace in which it was opened, wherever its descriptor travels later (see network_namespace.h).
#pragma once

#include "collectors/sock_diag/netlink_channel.h"

struct mnl_socket;

namespace tcpscope {

class NetlinkSocket final : public NetlinkChannel {
public:
  /// Opened in the caller's network namespace and bound.
  static Expected<NetlinkChannelPointer, NetlinkError> open();
  /// As open(), and a member of the groups of destroyed TCP sockets. The group only delivers to a bound socket.
  static Expected<NetlinkChannelPointer, NetlinkError> openDestroyEvents();
  /// Of this protocol (NETLINK_ROUTE, NETLINK_GENERIC), in the caller's network namespace and bound.
  static Expected<NetlinkChannelPointer, NetlinkError> openFor(int protocol);
  /// Takes over a bound descriptor, also when it fails.
  static Expected<NetlinkChannelPointer, NetlinkError> adopt(int descriptor);

  Expected<void, NetlinkError> send(std::span<const std::byte> message) override;
  Expected<std::size_t, NetlinkError> receive(std::span<std::byte> buffer) override;
  bool waitReadable(Milliseconds timeout) override;
  [[nodiscard]] int descriptor() const override;
  [[nodiscard]] std::uint32_t portId() const override;

private:
  struct Close {
    void operator()(mnl_socket* socket) const;
  };
  using Handle = std::unique_ptr<mnl_socket, Close>;

  explicit NetlinkSocket(Handle handle) : m_handle(std::move(handle)) {}
  Handle m_handle;
};

enum class DiagSocketUse : std::uint8_t { requests, destroyEvents };

/// A bound descriptor of the diagnosis family in the caller's network namespace. Makes system calls only, so that a
/// child of a threaded process may call it.
Expected<int, NetlinkError> openDiagDescriptor(DiagSocketUse use) noexcept;

/// The diagnosis sockets of the caller's own network namespace.
SockDiagAccess ownSockDiagAccess();

}  // namespace tcpscope
