// Since when a watched host sends no more samples: ssh ends a connection that is dead, but an agent that stands still
// keeps it open. `watch` goes on, and reports it once.
//
// May be used from any thread.
#pragma once

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string>

#include "core/base/escape.h"
#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/present/text/report_text.h"

namespace tcpscope {

class HostSilence {
public:
  /// Beyond the sampling interval: a busy host may be late.
  static constexpr Nanoseconds kAllowed = std::chrono::seconds(10);

  HostSilence(std::string address, Milliseconds interval, ClockPair now)
      : m_address(std::move(address)), m_allowed(interval + kAllowed), m_heard(now) {}

  /// All of a sample has come.
  void heard(ClockPair now) {
    const std::lock_guard lock(m_mutex);
    m_heard = now;
  }
  /// "db1 has sent nothing since 2026-01-02 03:04:05 +01:00", escaped; empty while samples come.
  [[nodiscard]] std::string text(Moment now) const {
    const std::lock_guard lock(m_mutex);
    if (now - m_heard.monotonic <= m_allowed) return {};
    return fmt::format("{} has sent nothing since {}", forTerminal(m_address), formatWallTime(m_heard.wall));
  }
  /// A line to print: once when the silence begins, once when it ends.
  std::optional<std::string> news(Moment now) {
    std::string current = text(now);
    if (current.empty() == m_reported.empty()) return std::nullopt;
    m_reported = current;
    return current.empty() ? fmt::format("{} resumes sending samples", forTerminal(m_address)) : current;
  }

private:
  const std::string m_address;
  const Nanoseconds m_allowed;
  mutable std::mutex m_mutex;
  ClockPair m_heard;
  std::string m_reported;
};

}  // namespace tcpscope
