#include "tests/support/path_relay.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <deque>
#include <random>
#include <vector>

namespace tcpscope::test {

namespace {

using Clock = std::chrono::steady_clock;

struct Packet {
  Clock::time_point leavesAt;
  std::vector<char> bytes;
};

/// Bytes of payload of an IPv4 TCP packet; 0 for anything else.
std::size_t tcpPayload(const char* bytes, std::size_t size) {
  const auto at = [&](std::size_t offset) { return static_cast<unsigned char>(bytes[offset]); };
  if (size < 40 || at(0) >> 4 != 4 || at(9) != IPPROTO_TCP) return 0;
  const std::size_t headers = (at(0) & 15U) * 4U + (at((at(0) & 15U) * 4U + 12U) >> 4) * 4U;
  return size > headers ? size - headers : 0;
}

/// One direction of the path.
class Lane {
public:
  Lane(int from, int to, const PathSettings& settings, double lossRatio)
      : m_from(from), m_to(to), m_settings(settings), m_isLost(lossRatio) {}

  [[nodiscard]] int source() const { return m_from; }

  void takeIn() {
    std::array<char, 65536> buffer{};
    for (int burst = 0; burst < 64; ++burst) {
      const ssize_t size = read(m_from, buffer.data(), buffer.size());
      if (size <= 0) return;
      accept(buffer.data(), static_cast<std::size_t>(size));
    }
  }

  void release(Clock::time_point now) {
    while (!m_queue.empty() && m_queue.front().leavesAt <= now) {
      const Packet& packet = m_queue.front();
      // A full device drops, as a full network card would.
      [[maybe_unused]] const ssize_t written = write(m_to, packet.bytes.data(), packet.bytes.size());
      m_queue.pop_front();
    }
  }

  [[nodiscard]] std::optional<Clock::time_point> nextRelease() const {
    if (m_queue.empty()) return std::nullopt;
    return m_queue.front().leavesAt;
  }

private:
  void accept(const char* bytes, std::size_t size) {
    if (tcpPayload(bytes, size) > 0 && m_isLost(m_random)) return;
    const auto now = Clock::now();
    Clock::time_point sentAt = now;
    if (m_settings.rate) {
      const auto toTime = [&](double amount) {
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(amount * 8.0 / m_settings.rate->value()));
      };
      m_linkFreeAt = std::max(m_linkFreeAt, now);
      if (m_linkFreeAt - now > toTime(static_cast<double>(m_settings.queue.value()))) return;
      m_linkFreeAt += toTime(static_cast<double>(size));
      sentAt = m_linkFreeAt;
    }
    m_queue.push_back({sentAt + m_settings.oneWayDelay, {bytes, bytes + size}});
  }

  int m_from;
  int m_to;
  PathSettings m_settings;
  std::bernoulli_distribution m_isLost;
  std::minstd_rand m_random{20};
  Clock::time_point m_linkFreeAt;
  std::deque<Packet> m_queue;
};

[[noreturn]] void relay(std::array<Lane, 2> lanes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_TIMERSLACK, 1000UL);
  std::array<pollfd, 2> waits{pollfd{lanes[0].source(), POLLIN, 0}, pollfd{lanes[1].source(), POLLIN, 0}};
  while (true) {
    Clock::duration wait = std::chrono::milliseconds(100);
    for (const Lane& lane : lanes) {
      if (const auto next = lane.nextRelease()) wait = std::min(wait, *next - Clock::now());
    }
    wait = std::max(wait, Clock::duration::zero());
    const timespec timeout{0, static_cast<long>(std::chrono::nanoseconds(wait).count())};
    ppoll(waits.data(), waits.size(), &timeout, nullptr);
    for (Lane& lane : lanes) lane.takeIn();
    for (Lane& lane : lanes) lane.release(Clock::now());
  }
}

}  // namespace

PathRelay::PathRelay(const NetworkHost& first, const NetworkHost& second, const PathSettings& settings) {
  m_process = fork();
  if (m_process != 0) return;
  relay({Lane(first.tunDescriptor(), second.tunDescriptor(), settings, settings.lossRatio),
         Lane(second.tunDescriptor(), first.tunDescriptor(), settings, 0.0)});
}

}  // namespace tcpscope::test
