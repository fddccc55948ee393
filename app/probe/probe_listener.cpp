#include "app/probe/probe_listener.h"

#include <linux/sock_diag.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "app/probe/socket_address.h"
#include "collectors/system/monotonic_clock.h"
#include "core/wire/probe/probe_packet.h"

namespace tcpscope {

namespace {

/// For a sender between two lines.
constexpr Nanoseconds kSilenceTimeout = std::chrono::seconds(30);
constexpr int kBufferBytes = 1 << 20;

/// Every packet of the run, by its sequence number.
class ArrivalCount {
public:
  ArrivalCount(const ProbeRunRequest& request, const Endpoint& sender)
      : m_token(request.token), m_sender(sender.address.unmapped()) {
    m_received.arrived.resize(request.plan.packets);
  }

  /// Everything that waits; sends back what asks for it.
  void takeAll(int socket) {
    // A flood must not keep the caller from its deadline.
    for (int packet = 0; packet < kMostAtOnce && takeOne(socket); ++packet) continue;
  }
  /// Of a socket that was opened for this run.
  ProbeReceived finish(int socket) {
    // What still waits has arrived, too. Bounded, because others may send meanwhile.
    for (std::size_t packet = 0; packet < m_received.arrived.size() && takeOne(socket); ++packet) continue;
    std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
    socklen_t size = sizeof memory;
    const bool isKnown = getsockopt(socket, SOL_SOCKET, SO_MEMINFO, memory.data(), &size) == 0;
    if (isKnown) m_received.overflowed = memory[SK_MEMINFO_DROPS];
    return m_received;
  }

private:
  static constexpr int kMostAtOnce = 1024;

  bool takeOne(int socket) {
    std::array<std::byte, 512> bytes{};
    IpSocketAddress from;
    const ssize_t size = recvfrom(socket, bytes.data(), bytes.size(), MSG_DONTWAIT, from.get(), &from.size);
    if (size < 0) return errno == EINTR || errno == ECONNREFUSED;
    const auto packet = parseProbePacket(std::span(bytes).first(static_cast<std::size_t>(size)));
    const auto sender = endpointOf(from);
    const bool isOurs = packet && packet->token == m_token && packet->sequence < m_received.arrived.size() && sender &&
                        sender->address.unmapped() == m_sender;
    if (!isOurs) return true;
    take(*packet);
    if (packet->requestsEcho && mayEcho()) {
      sendto(socket, bytes.data(), static_cast<std::size_t>(size), MSG_DONTWAIT | MSG_NOSIGNAL, from.get(), from.size);
    }
    return true;
  }
  /// No more is sent back than a sender of ours asks for.
  bool mayEcho() {
    const Moment now = monotonicNow();
    if (m_nextEcho && now < *m_nextEcho) return false;
    m_nextEcho = now + kBetweenEchoes / 2;
    return true;
  }
  void take(const ProbePacket& packet) {
    const Moment now = monotonicNow();
    ++m_received.packets;
    if (m_received.arrived[packet.sequence]) {
      ++m_received.duplicates;
      return;
    }
    m_received.arrived[packet.sequence] = true;
    if (m_highest && packet.sequence < *m_highest) ++m_received.reordered;
    m_highest = std::max(m_highest.value_or(0), packet.sequence);
    if (m_first) m_received.span = now - *m_first;
    if (!m_first) m_first = now;
  }
  std::uint64_t m_token;
  IpAddress m_sender;
  ProbeReceived m_received;
  std::optional<std::uint32_t> m_highest;
  std::optional<Moment> m_first;
  std::optional<Moment> m_nextEcho;
};

Expected<OwnedDescriptor, ProbeError> openPackets(IpSocketAddress local) {
  OwnedDescriptor packets(socket(local.family(), SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!packets) return probeFailure(ProbeError::Kind::systemFailed, errno);
  const int off = 0;
  if (local.family() == AF_INET6) setsockopt(packets.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  setsockopt(packets.get(), SOL_SOCKET, SO_RCVBUF, &kBufferBytes, sizeof kBufferBytes);
  if (bind(packets.get(), local.get(), local.size) != 0) return probeFailure(ProbeError::Kind::systemFailed, errno);
  return packets;
}

/// A sender that has connected.
class Service {
public:
  Service(ProbeControl control, const Endpoint& local, const Endpoint& sender)
      : m_control(std::move(control)), m_local(local) {
    m_served.sender = sender;
  }

  Expected<ServedProbe, ProbeError> run() {
    const auto greeting = m_control.receiveOne<ProbeGreeting>(monotonicNow() + kSilenceTimeout);
    if (!greeting) return Unexpected<ProbeError>(greeting.error());
    if (const auto said = m_control.send(ProbeWelcome{m_local.port}); !said)
      return Unexpected<ProbeError>(said.error());
    while (true) {
      const auto heard = m_control.receive(monotonicNow() + kSilenceTimeout);
      if (!heard) return Unexpected<ProbeError>(heard.error());
      if (std::holds_alternative<ProbeFarewell>(*heard)) return m_served;
      const auto* request = std::get_if<ProbeRunRequest>(&*heard);
      if (request == nullptr) return probeFailure(ProbeError::Kind::notAProbe);
      if (m_served.runs.size() >= kMostRuns || !request->plan.isWithinLimits()) {
        m_control.send(ProbeRefusal{});
        return probeFailure(ProbeError::Kind::refused);
      }
      if (const auto counted = count(*request); !counted) return Unexpected<ProbeError>(counted.error());
    }
  }

private:
  static constexpr std::size_t kMostRuns = 2;

  Expected<void, ProbeError> count(const ProbeRunRequest& request) {
    // One for each run: the kernel counts since a socket was opened what it had no room for.
    const auto packets = openPackets(ipSocketAddress(m_local));
    if (!packets) return Unexpected<ProbeError>(packets.error());
    ArrivalCount arrivals(request, m_served.sender);
    if (const auto said = m_control.send(ProbeGo{}); !said) return said;
    const Moment deadline = monotonicNow() + request.plan.time() + kSilenceTimeout;
    while (true) {
      std::array<pollfd, 3> waiting = {
          {{packets->get(), POLLIN, 0}, {m_control.descriptor(), POLLIN, 0}, {m_control.wakeDescriptor(), POLLIN, 0}}};
      if (poll(waiting.data(), waiting.size(), 1000) < 0 && errno != EINTR)
        return probeFailure(ProbeError::Kind::systemFailed, errno);
      if (waiting[2].revents != 0) return probeFailure(ProbeError::Kind::interrupted);
      arrivals.takeAll(packets->get());
      if (waiting[1].revents != 0) break;
      if (monotonicNow() >= deadline) return probeFailure(ProbeError::Kind::silent);
    }
    const auto end = m_control.receiveOne<ProbeRunEnd>(monotonicNow() + kSilenceTimeout);
    if (!end) return Unexpected<ProbeError>(end.error());
    m_served.runs.push_back(request.plan);
    return m_control.send(arrivals.finish(packets->get()));
  }

  ProbeControl m_control;
  Endpoint m_local;
  ServedProbe m_served;
};

}  // namespace

Expected<ProbeListener, ProbeError> ProbeListener::open(std::uint16_t port, int wakeDescriptor) {
  // Both families at once; a kernel without IPv6 has the other one only.
  bool isVersion6 = true;
  OwnedDescriptor listener(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener) {
    isVersion6 = false;
    listener = OwnedDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  }
  if (!listener) return probeFailure(ProbeError::Kind::systemFailed, errno);
  const int on = 1;
  const int off = 0;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (isVersion6) setsockopt(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  IpSocketAddress local = ipSocketAddress({isVersion6 ? IpAddress::v6({}) : IpAddress::v4({}), port});
  if (bind(listener.get(), local.get(), local.size) != 0 || listen(listener.get(), 4) != 0) {
    return probeFailure(ProbeError::Kind::systemFailed, errno);
  }
  local.size = sizeof local.bytes;
  if (getsockname(listener.get(), local.get(), &local.size) != 0)
    return probeFailure(ProbeError::Kind::systemFailed, errno);
  const auto bound = endpointOf(local);
  return ProbeListener(std::move(listener), bound ? bound->port : port, wakeDescriptor);
}

Expected<ServedProbe, ProbeError> ProbeListener::serveOne(std::optional<Moment> until) {
  while (true) {
    std::array<pollfd, 2> waiting = {{{m_socket.get(), POLLIN, 0}, {m_wakeDescriptor, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), 1000) < 0 && errno != EINTR)
      return probeFailure(ProbeError::Kind::systemFailed, errno);
    if (waiting[1].revents != 0) return probeFailure(ProbeError::Kind::interrupted);
    if (waiting[0].revents != 0) break;
    if (until && monotonicNow() >= *until) return probeFailure(ProbeError::Kind::silent);
  }
  IpSocketAddress peer;
  OwnedDescriptor stream(accept4(m_socket.get(), peer.get(), &peer.size, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!stream) return probeFailure(ProbeError::Kind::ended, errno);
  IpSocketAddress own;
  const bool isNamed = getsockname(stream.get(), own.get(), &own.size) == 0;
  const auto sender = endpointOf(peer);
  const auto local = endpointOf(own);
  if (!isNamed || !sender || !local) return probeFailure(ProbeError::Kind::systemFailed, errno);
  return Service(ProbeControl(std::move(stream), m_wakeDescriptor), *local, *sender).run();
}

}  // namespace tcpscope
