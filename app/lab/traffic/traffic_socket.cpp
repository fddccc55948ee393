#include "app/lab/traffic/traffic_socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "app/lab/host/set_up_error.h"

namespace tcpscope::lab {

namespace {

constexpr int kBacklog = 4096;

struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t length = 0;
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};

SocketAddress socketAddress(const Endpoint& endpoint) {
  SocketAddress result;
  const auto& address = endpoint.address.bytes();
  if (endpoint.address.family() == AddressFamily::ipv4) {
    sockaddr_in ipv4{};
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(endpoint.port);
    std::memcpy(&ipv4.sin_addr, address.data(), sizeof ipv4.sin_addr);
    std::memcpy(&result.bytes, &ipv4, sizeof ipv4);
    result.length = sizeof ipv4;
  } else {
    sockaddr_in6 ipv6{};
    ipv6.sin6_family = AF_INET6;
    ipv6.sin6_port = htons(endpoint.port);
    std::memcpy(&ipv6.sin6_addr, address.data(), sizeof ipv6.sin6_addr);
    std::memcpy(&result.bytes, &ipv6, sizeof ipv6);
    result.length = sizeof ipv6;
  }
  return result;
}

Unexpected<LabError> refused(const char* option, int errorNumber) {
  return Unexpected<LabError>(LabError{LabErrorKind::optionRefused, errorNumber, UntrustedText(option)});
}

/// `readBack` is what the kernel then says: buffers are doubled.
Expected<void, LabError> setNumber(int socket, int level, int option, const char* name, std::uint64_t value,
                                   std::uint64_t readBack) {
  if (readBack > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) return refused(name, ERANGE);
  int number = static_cast<int>(value);
  if (setsockopt(socket, level, option, &number, sizeof number) != 0) return refused(name, errno);
  socklen_t length = sizeof number;
  if (getsockopt(socket, level, option, &number, &length) != 0) return refused(name, errno);
  if (number != static_cast<int>(readBack)) return refused(name, 0);
  return {};
}

Expected<void, LabError> setBuffer(int socket, int option, const char* name, Bytes size) {
  return setNumber(socket, SOL_SOCKET, option, name, size.value(), 2 * size.value());
}

Expected<void, LabError> setCongestionControl(int socket, const std::string& name) {
  // One more than the longest name, so that it ends.
  std::array<char, 17> now{};
  socklen_t length = now.size() - 1;
  if (setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, name.data(), static_cast<socklen_t>(name.size())) != 0 ||
      getsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, now.data(), &length) != 0) {
    return setUpError(name, LabErrorKind::noCongestionControl);
  }
  if (name != now.data()) return tl::unexpected(LabError{LabErrorKind::noCongestionControl, 0, UntrustedText(name)});
  return {};
}

/// Without a rate: the window is spread over the RTT, at whatever rate that is.
Expected<void, LabError> setPacing(int socket, const std::optional<BitsPerSecond>& rate) {
  std::uint64_t bytesPerSecond = std::numeric_limits<std::uint64_t>::max() - 1;
  if (rate && !rate->isUnlimited()) bytesPerSecond = static_cast<std::uint64_t>(std::llround(rate->value() / 8.0));
  constexpr const char* kName = "SO_MAX_PACING_RATE";
  if (setsockopt(socket, SOL_SOCKET, SO_MAX_PACING_RATE, &bytesPerSecond, sizeof bytesPerSecond) != 0) {
    return refused(kName, errno);
  }
  std::uint64_t now = 0;
  socklen_t length = sizeof now;
  if (getsockopt(socket, SOL_SOCKET, SO_MAX_PACING_RATE, &now, &length) != 0) return refused(kName, errno);
  if (now != bytesPerSecond) return refused(kName, 0);
  return {};
}

/// What both ends have.
Expected<OwnedDescriptor, LabError> openSocket(const TrafficPlan& plan) {
  const int family = plan.settings.ipv6 ? AF_INET6 : AF_INET;
  OwnedDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return setUpError(plan.settings.ipv6 ? "a socket for IPv6" : "a socket");
  if (auto set = setCongestionControl(socket.get(), plan.settings.congestionControl); !set) {
    return tl::unexpected(set.error());
  }
  if (plan.settings.noDelay) {
    if (auto set = setNumber(socket.get(), IPPROTO_TCP, TCP_NODELAY, "TCP_NODELAY", 1, 1); !set) {
      return tl::unexpected(set.error());
    }
  }
  if (const auto& segment = plan.settings.maximumSegment) {
    const std::uint64_t bytes = segment->value();
    const int number = static_cast<int>(std::min<std::uint64_t>(bytes, std::numeric_limits<int>::max()));
    // Before the connection it reads back as the default.
    if (setsockopt(socket.get(), IPPROTO_TCP, TCP_MAXSEG, &number, sizeof number) != 0) {
      return refused("TCP_MAXSEG", errno);
    }
  }
  return socket;
}

Expected<void, LabError> applyReceiverOptions(int socket, const TrafficSettings& settings) {
  if (settings.receiveBuffer) {
    if (auto set = setBuffer(socket, SO_RCVBUF, "SO_RCVBUF", *settings.receiveBuffer); !set) return set;
  }
  if (settings.windowClamp) return clampWindow(socket, *settings.windowClamp);
  return {};
}

Expected<void, LabError> applySenderOptions(int socket, const TrafficSettings& settings) {
  if (settings.sendBuffer) {
    if (auto set = setBuffer(socket, SO_SNDBUF, "SO_SNDBUF", *settings.sendBuffer); !set) return set;
  }
  if (settings.kind == TrafficKind::paced || settings.pacingRate) return setPacing(socket, settings.pacingRate);
  return {};
}

}  // namespace

Expected<void, LabError> clampWindow(int socket, Bytes clamp) {
  return setNumber(socket, IPPROTO_TCP, TCP_WINDOW_CLAMP, "TCP_WINDOW_CLAMP", clamp.value(), clamp.value());
}

Expected<OwnedDescriptor, LabError> openListener(const TrafficPlan& plan) {
  auto socket = openSocket(plan);
  if (!socket) return socket;
  if (auto applied = applyReceiverOptions(socket->get(), plan.settings); !applied) {
    return tl::unexpected(applied.error());
  }
  const SocketAddress address = socketAddress(plan.destination);
  if (bind(socket->get(), address.get(), address.length) != 0 || listen(socket->get(), kBacklog) != 0) {
    return setUpError("the address " + plan.destination.toString());
  }
  return socket;
}

Expected<OwnedDescriptor, LabError> openSource(const TrafficPlan& plan, std::size_t stream) {
  auto socket = openSocket(plan);
  if (!socket) return socket;
  if (auto applied = applySenderOptions(socket->get(), plan.settings); !applied) {
    return tl::unexpected(applied.error());
  }
  const Endpoint source = plan.sourceOf(stream);
  const SocketAddress address = socketAddress(source);
  if (bind(socket->get(), address.get(), address.length) != 0) return setUpError("the address " + source.toString());
  return socket;
}

bool beginConnection(int socket, const Endpoint& destination) {
  const SocketAddress address = socketAddress(destination);
  return connect(socket, address.get(), address.length) == 0 || errno == EINPROGRESS;
}

IncomingConnection acceptConnection(int listener) {
  sockaddr_storage peer{};
  socklen_t length = sizeof peer;
  IncomingConnection incoming;
  incoming.socket =
      OwnedDescriptor(accept4(listener, reinterpret_cast<sockaddr*>(&peer), &length, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!incoming.socket) return incoming;
  // The port stands at the same place in both families.
  sockaddr_in address{};
  std::memcpy(&address, &peer, sizeof address);
  incoming.sourcePort = ntohs(address.sin_port);
  return incoming;
}

}  // namespace tcpscope::lab
