#include "app/lab/path/path_loop.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "app/lab/path/lateness.h"
#include "app/lab/path/loop_clock.h"
#include "app/lab/path/packet_port.h"
#include "app/lab/path/path_network.h"
#include "collectors/sock_diag/thread_punctuality.h"
#include "core/base/invariant.h"

namespace tcpscope::lab {

namespace {

/// Packets from one device before the others and what is due get their turn, and packets handed out before the devices
/// get theirs: were the devices left until nothing is due, a host that sends faster than the loop works would lose
/// packets before they reach the path.
constexpr int kBurst = 32;
/// Times that a round looks for answers to what it handed over.
constexpr int kPasses = 8;
/// Rounds before the owner gets its turn.
constexpr int kRounds = 64;
/// While packets move, what comes up within this time is done at once: a wake-up costs more than a packet.
constexpr Microseconds kRoundTime{50};
constexpr Milliseconds kReportInterval{200};

class PathLoop {
public:
  PathLoop(const PathSettings& settings, std::vector<std::unique_ptr<PacketPort>> ports, PathOwner& owner);

  /// 0 when the owner ended it, else errno.
  int run();

private:
  bool movePackets();
  /// Both: did any packet move?
  bool takeIn();
  bool handOut();
  int wait(bool isBusy);
  /// False when the owner asks to stop.
  bool serveOwner();
  [[nodiscard]] PathReport report();

  PathOwner& m_owner;
  std::vector<std::unique_ptr<PacketPort>> m_ports;
  PathNetwork m_network;
  Lateness m_lateness;
  Count m_refused;
  Moment m_startedAt = pathClock();
  Moment m_nextReport = m_startedAt;
  Nanoseconds m_waitedBefore = waitedForProcessor();
  /// One a port, and the owner's.
  std::vector<pollfd> m_waits;
};

PathLoop::PathLoop(const PathSettings& settings, std::vector<std::unique_ptr<PacketPort>> ports, PathOwner& owner)
    : m_owner(owner),
      m_ports(std::move(ports)),
      m_network(
          settings, [&owner](const PathEvent& event) { owner.happened(event); },
          [&owner](std::span<const std::uint8_t> packet, Moment at) { owner.passedMiddle(packet, at); }) {
  for (const auto& port : m_ports) m_waits.push_back({port->descriptor(), POLLIN, 0});
  m_waits.push_back({owner.wakeDescriptor(), POLLIN, 0});
}

int PathLoop::run() {
  int failure = 0;
  for (bool isWanted = true; isWanted && failure == 0; isWanted = serveOwner()) {
    bool isBusy = true;
    for (int round = 0; isBusy && round < kRounds; ++round) {
      const Moment start = pathClock();
      isBusy = movePackets();
      if (isBusy) sleepUntil(start + kRoundTime);
    }
    failure = wait(isBusy);
  }
  m_owner.counted(report());
  return failure;
}

/// Moves every packet that is due: did any move? A host answers a packet before the call that hands it over
/// returns, so that more may be pending without waiting.
bool PathLoop::movePackets() {
  bool moved = false;
  bool handedOut = true;
  for (int pass = 0; handedOut && pass < kPasses; ++pass) {
    const bool tookIn = takeIn();
    handedOut = handOut();
    moved = moved || tookIn || handedOut;
  }
  return moved;
}

bool PathLoop::takeIn() {
  bool tookIn = false;
  for (std::size_t host = 0; host < m_ports.size(); ++host) {
    int packets = 0;
    for (; packets < kBurst; ++packets) {
      const std::span<const std::uint8_t> packet = m_ports[host]->receive();
      if (packet.empty()) break;
      const Moment now = pathClock();
      m_owner.passed(host, packet, now);
      m_network.accept(host, packet, now);
    }
    tookIn = tookIn || packets > 0;
  }
  return tookIn;
}

bool PathLoop::handOut() {
  Moment now = pathClock();
  bool handedOut = false;
  for (int packets = 0; packets < kBurst; ++packets) {
    const std::optional<Arrival> arrival = m_network.release(now);
    if (!arrival) break;
    m_lateness.add(now - arrival->due);
    m_owner.passed(arrival->host, arrival->packet.bytes(), now);
    if (!m_ports[arrival->host]->send(arrival->packet.bytes())) {
      m_refused += Count(1);
      const std::uint16_t link = PathNetwork::linkTo(arrival->host);
      m_owner.happened(pathEvent(PathEventKind::deviceDrop, link, arrival->packet.bytes(), now));
    }
    handedOut = true;
    now = pathClock();
  }
  return handedOut;
}

int PathLoop::wait(bool isBusy) {
  Moment until = m_nextReport;
  if (const std::optional<Moment> next = m_network.nextRelease()) until = std::min(until, *next);
  const Nanoseconds::rep span = isBusy ? 0 : std::max<Nanoseconds::rep>((until - pathClock()).count(), 0);
  const timespec timeout{span / kNanosecondsPerSecond, span % kNanosecondsPerSecond};
  for (pollfd& wait : m_waits) wait.revents = 0;
  if (ppoll(m_waits.data(), m_waits.size(), &timeout, nullptr) < 0 && errno != EINTR) return errno;
  for (std::size_t port = 0; port < m_ports.size(); ++port) {
    if ((m_waits[port].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return ENODEV;
  }
  return 0;
}

bool PathLoop::serveOwner() {
  const Moment now = pathClock();
  if (now >= m_nextReport) {
    m_owner.counted(report());
    m_nextReport = now + kReportInterval;
  }
  if (m_waits.back().revents == 0) return true;
  const std::optional<PathSettings> settings = m_owner.takeRequest();
  if (settings) m_network.change(*settings, now);
  return settings.has_value();
}

PathReport PathLoop::report() {
  PathReport report;
  report.links = m_network.links();
  report.unrouted = m_network.unrouted();
  report.deviceDrops = m_refused;
  for (const auto& port : m_ports) {
    const std::optional<Count> missed = port->missed();
    if (!missed) report.deviceDrops.reset();
    if (missed && report.deviceDrops) *report.deviceDrops += *missed;
  }
  report.worstLateness = m_lateness.worst();
  report.lateness999 = m_lateness.quantile(0.999);
  report.lateness99 = m_lateness.quantile(0.99);
  report.lateness50 = m_lateness.quantile(0.5);
  report.observed = pathClock() - m_startedAt;
  report.waitedForProcessor = waitedForProcessor() - m_waitedBefore;
  return report;
}

}  // namespace

int runPathLoop(const PathSettings& settings, std::span<const PathPort> ports, PathOwner& owner) {
  TCPSCOPE_INVARIANT(ports.size() == settings.hosts.size());
  std::vector<std::unique_ptr<PacketPort>> opened;
  for (const PathPort& port : ports) {
    auto made = makePacketPort(port);
    if (!made) return made.error();
    opened.push_back(std::move(*made));
  }
  becomePunctual();
  becomeRealTime();
  PathLoop loop(settings, std::move(opened), owner);
  return loop.run();
}

}  // namespace tcpscope::lab
