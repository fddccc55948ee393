#include "app/probe/probe_sender.h"

#include <poll.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <vector>

#include "app/probe/socket_address.h"
#include "collectors/system/monotonic_clock.h"
#include "core/wire/probe/probe_packet.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kAnswerTime = std::chrono::seconds(10);

/// Connected within the time, or the reason why not.
Expected<void, ProbeError> connectWithin(int socket, const IpSocketAddress& address, int wakeDescriptor) {
  if (::connect(socket, address.get(), address.size) == 0) return {};
  if (errno != EINPROGRESS) return probeFailure(ProbeError::Kind::unreachable, errno);
  std::array<pollfd, 2> waiting = {{{socket, POLLOUT, 0}, {wakeDescriptor, POLLIN, 0}}};
  const int ready = poll(waiting.data(), waiting.size(),
                         static_cast<int>(std::chrono::duration_cast<Milliseconds>(kAnswerTime).count()));
  if (ready < 0)
    return probeFailure(errno == EINTR ? ProbeError::Kind::interrupted : ProbeError::Kind::systemFailed, errno);
  if (waiting[1].revents != 0) return probeFailure(ProbeError::Kind::interrupted);
  if (ready == 0) return probeFailure(ProbeError::Kind::unreachable, ETIMEDOUT);
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return probeFailure(ProbeError::Kind::unreachable, error);
  return {};
}

/// Cannot be guessed without seeing the packets.
std::uint64_t drawToken() {
  std::uint64_t token = 0;
  while (getrandom(&token, sizeof token, 0) != static_cast<ssize_t>(sizeof token)) continue;
  return token;
}

/// Until the moment, the socket or a wake. Linux takes nanoseconds.
Expected<bool, ProbeError> awaitPacket(int socket, int wakeDescriptor, Moment moment) {
  const std::int64_t left = std::max((moment - monotonicNow()).count(), std::int64_t{0});
  const timespec timeout{static_cast<std::time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
  std::array<pollfd, 2> waiting = {{{socket, POLLIN, 0}, {wakeDescriptor, POLLIN, 0}}};
  const int ready = ppoll(waiting.data(), waiting.size(), &timeout, nullptr);
  if (ready < 0 && errno != EINTR) return probeFailure(ProbeError::Kind::systemFailed, errno);
  if (ready > 0 && waiting[1].revents != 0) return probeFailure(ProbeError::Kind::interrupted);
  return ready > 0 && waiting[0].revents != 0;
}

/// A packet that came back.
void takeEchoes(int socket, std::uint64_t token, ProbeSent& sent) {
  std::array<std::byte, 512> bytes{};
  // A flood must not keep the caller from its schedule.
  constexpr int kMostAtOnce = 16;
  for (int packet = 0; packet < kMostAtOnce; ++packet) {
    const ssize_t size = recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    // An ICMP message that a packet caused stands here as an error, once.
    if (size < 0 && errno == ECONNREFUSED) continue;
    if (size < 0) return;
    const auto echo = parseProbePacket(std::span(bytes).first(static_cast<std::size_t>(size)));
    if (!echo || echo->token != token || echo->sequence >= sent.times.size()) continue;
    // One echo for each packet that asks for one, whatever the other end sends.
    if (!echo->requestsEcho || sent.rtts.size() >= sent.times.size()) continue;
    sent.rtts.push_back(monotonicNow() - sent.times[echo->sequence]);
  }
}

}  // namespace

Expected<ProbeSender, ProbeError> ProbeSender::connect(const Endpoint& listener, int wakeDescriptor) {
  const IpSocketAddress address = ipSocketAddress(listener);
  OwnedDescriptor stream(socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  OwnedDescriptor packets(socket(address.family(), SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!stream || !packets) return probeFailure(ProbeError::Kind::systemFailed, errno);
  const auto connected = connectWithin(stream.get(), address, wakeDescriptor);
  if (!connected) return Unexpected<ProbeError>(connected.error());
  ProbeControl control(std::move(stream), wakeDescriptor);
  if (const auto said = control.send(ProbeGreeting{}); !said) return Unexpected<ProbeError>(said.error());
  const auto welcome = control.receiveOne<ProbeWelcome>(monotonicNow() + kAnswerTime);
  if (!welcome) return Unexpected<ProbeError>(welcome.error());
  // A host that names another port could aim the packets at what never asked for them.
  if (welcome->port != listener.port) return probeFailure(ProbeError::Kind::notAProbe);
  const IpSocketAddress counter = ipSocketAddress(listener);
  if (::connect(packets.get(), counter.get(), counter.size) != 0)
    return probeFailure(ProbeError::Kind::unreachable, errno);
  return ProbeSender(std::move(control), std::move(packets));
}

Expected<ProbeRun, ProbeError> ProbeSender::run(const ProbeRunPlan& plan, const ProbeProgress& progress) {
  const std::uint64_t token = drawToken();
  ProbeRun run;
  run.plan = plan;
  run.sent.times.reserve(plan.packets);
  if (const auto said = m_control.send(ProbeRunRequest{plan, token}); !said) {
    return Unexpected<ProbeError>(said.error());
  }
  const auto go = m_control.receiveOne<ProbeGo>(monotonicNow() + kAnswerTime);
  if (!go) return Unexpected<ProbeError>(go.error());
  if (const auto sent = send(plan, token, run.sent, progress); !sent) return Unexpected<ProbeError>(sent.error());
  if (const auto said = m_control.send(ProbeRunEnd{}); !said) return Unexpected<ProbeError>(said.error());
  auto received = m_control.receiveOne<ProbeReceived>(monotonicNow() + kAnswerTime);
  if (!received) return Unexpected<ProbeError>(received.error());
  run.received = std::move(*received);
  return run;
}

Expected<void, ProbeError> ProbeSender::send(const ProbeRunPlan& plan, std::uint64_t token, ProbeSent& sent,
                                             const ProbeProgress& progress) {
  std::vector<std::byte> payload((plan.packetSize - kProbeHeaders).value());
  const Moment start = monotonicNow() + plan.interval;
  Moment nextEcho = start;
  for (std::uint32_t slot = 0; slot < plan.packets; ++slot) {
    const Moment due = start + plan.interval * slot;
    if (const auto waited = listenUntil(due, token, sent); !waited) return waited;
    ProbePacket packet{token, static_cast<std::uint32_t>(sent.times.size()), due >= nextEcho, due - start};
    if (packet.requestsEcho) nextEcho = due + kBetweenEchoes;
    const auto header = encoded(packet);
    std::copy(header.begin(), header.end(), payload.begin());
    const Moment now = monotonicNow();
    ssize_t taken = ::send(m_packets.get(), payload.data(), payload.size(), MSG_NOSIGNAL);
    // The error of an earlier packet, by ICMP.
    if (taken < 0 && errno == ECONNREFUSED)
      taken = ::send(m_packets.get(), payload.data(), payload.size(), MSG_NOSIGNAL);
    if (taken < 0) {
      ++sent.refused;
    } else {
      sent.times.push_back(now);
    }
    if (progress) progress(plan, slot + 1);
  }
  return listenUntil(monotonicNow() + kProbeLastArrivals, token, sent);
}

Expected<void, ProbeError> ProbeSender::listenUntil(Moment moment, std::uint64_t token, ProbeSent& sent) {
  while (true) {
    const auto hasPacket = awaitPacket(m_packets.get(), m_control.wakeDescriptor(), moment);
    if (!hasPacket) return Unexpected<ProbeError>(hasPacket.error());
    if (*hasPacket) takeEchoes(m_packets.get(), token, sent);
    if (monotonicNow() >= moment) return {};
  }
}

}  // namespace tcpscope
