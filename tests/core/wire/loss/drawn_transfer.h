// A sender over a path with a known fault, packet by packet: its window grows by one packet per RTT and is halved once
// per RTT with losses, which it detects one RTT later.
#pragma once

#include <algorithm>
#include <optional>
#include <queue>
#include <vector>

#include "core/base/random_stream.h"
#include "core/wire/loss/burst_verdict.h"
#include "core/wire/loss/loss_record.h"

namespace tcpscope {

struct DrawnPath {
  /// Of the link, or what the policer lets through.
  double packetsPerSecond = 2000.0;
  /// Of the queue or of the policer's bucket.
  double packetsOfRoom = 100.0;
  bool isPolicer = false;
  double lossRatio = 0.0;
  /// Once a packet is lost by chance, the next one is with this probability.
  double lossGoesOn = 0.0;
  Nanoseconds rtt = Milliseconds(40);
};

struct DrawnTransfer {
  LossRecord record;
  RttSpread rtts;
};

class DrawnSender {
public:
  DrawnSender(const DrawnPath& path, std::uint64_t seed)
      : m_path(path), m_random(seed, 3), m_tokens(path.packetsOfRoom) {}

  DrawnTransfer run(std::uint64_t packets) {
    m_packetsLeft = packets;
    sendAt(Moment());
    while (!m_answers.empty()) {
      const Answer answer = m_answers.top();
      m_answers.pop();
      hear(answer);
      sendAt(answer.time);
    }
    std::sort(m_rtts.begin(), m_rtts.end());
    m_result.rtts = {m_rtts.front(), m_rtts[m_rtts.size() / 2]};
    return std::move(m_result);
  }

private:
  struct Answer {
    Moment time;
    std::uint64_t position = 0;
    bool isLost = false;
    bool operator<(const Answer& other) const { return time > other.time; }
  };

  void sendAt(Moment now) {
    // Packets of one burst leave at a gigabit a second.
    constexpr Nanoseconds kApart = Microseconds(12);
    for (; m_inFlight < m_window && m_packetsLeft > 0; --m_packetsLeft, m_inFlight += 1.0) {
      const Moment time = std::max(now, m_newest + kApart);
      m_newest = time;
      const std::uint64_t position = m_result.record.addSent(time);
      const std::optional<Nanoseconds> wait = pass(time);
      if (wait) {
        m_lastRtt = m_path.rtt + *wait;
        m_rtts.push_back(m_lastRtt);
      } else {
        m_result.record.addLoss({time, position, m_lastRtt});
      }
      m_answers.push({time + m_lastRtt, position, !wait});
    }
  }

  void hear(const Answer& answer) {
    m_inFlight -= 1.0;
    if (!answer.isLost) {
      m_window += m_isStarting ? 1.0 : 1.0 / m_window;
      return;
    }
    if (answer.position < m_recoversUntil) return;
    m_isStarting = false;
    m_window = std::max(m_window / 2.0, 2.0);
    m_recoversUntil = m_result.record.sent().packets();
  }

  /// How long it waits in the queue; nothing where it is dropped.
  std::optional<Nanoseconds> pass(Moment time) {
    m_isLosing = m_random.happens(m_isLosing ? std::max(m_path.lossGoesOn, m_path.lossRatio) : m_path.lossRatio);
    if (m_isLosing) return std::nullopt;
    return m_path.isPolicer ? police(time) : enqueue(time);
  }

  std::optional<Nanoseconds> police(Moment time) {
    m_tokens = std::min(m_path.packetsOfRoom, m_tokens + toSeconds(time - m_refilled) * m_path.packetsPerSecond);
    m_refilled = time;
    if (m_tokens < 1.0) return std::nullopt;
    m_tokens -= 1.0;
    return Nanoseconds(0);
  }

  std::optional<Nanoseconds> enqueue(Moment time) {
    const Moment begin = std::max(time, m_linkIsBusyUntil);
    if (toSeconds(begin - time) * m_path.packetsPerSecond > m_path.packetsOfRoom) return std::nullopt;
    m_linkIsBusyUntil = begin + Nanoseconds(static_cast<std::int64_t>(1e9 / m_path.packetsPerSecond));
    return m_linkIsBusyUntil - time;
  }

  DrawnPath m_path;
  RandomStream m_random;
  DrawnTransfer m_result;
  std::priority_queue<Answer> m_answers;
  std::vector<Nanoseconds> m_rtts;
  std::uint64_t m_packetsLeft = 0;
  std::uint64_t m_recoversUntil = 0;
  double m_window = 10.0;
  double m_inFlight = 0.0;
  bool m_isStarting = true;
  Moment m_newest;
  Nanoseconds m_lastRtt = m_path.rtt;
  bool m_isLosing = false;
  double m_tokens;
  Moment m_refilled;
  Moment m_linkIsBusyUntil;
};

inline DrawnTransfer drawnTransfer(const DrawnPath& path, std::uint64_t packets, std::uint64_t seed) {
  return DrawnSender(path, seed).run(packets);
}

}  // namespace tcpscope
