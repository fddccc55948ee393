// What a sender was seen to wait for, as far as packets show: finer than Limit where the wire knows more, and coarser
// where it knows less.
//
// The two that are no Limit: `clock`, it sent whenever acknowledgments came, so that a window of its own (congestion
// window or send buffer) was full; `own`, it had room and acknowledgments and sent later, as its program, its pacing or
// its send buffer let it.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"

namespace tcpscope {

enum class SenderWait : std::uint8_t {
  /// The receiver's window was full or closed.
  receiver,
  clock,
  own,
  /// Lost data was retransmitted.
  recovery,
  /// Silence until a timer, and what it then goes over again.
  timeout,
  /// Nothing was in flight, and then the transfer continued.
  pause,
  /// Nothing was in flight, and the transfer did not continue.
  idle,
  unknown,
};

inline constexpr std::size_t kSenderWaitCount = 8;

/// Time spent in each. The sum is the observed time.
class SenderWaits {
public:
  void add(SenderWait wait, Nanoseconds span) { m_spans[static_cast<std::size_t>(wait)] += span; }
  [[nodiscard]] Nanoseconds span(SenderWait wait) const { return m_spans[static_cast<std::size_t>(wait)]; }
  void remove(SenderWait wait) { m_spans[static_cast<std::size_t>(wait)] = Nanoseconds::zero(); }
  [[nodiscard]] Nanoseconds observed() const {
    Nanoseconds sum{0};
    for (const Nanoseconds span : m_spans) sum += span;
    return sum;
  }
  /// 0…1; 0 for all where nothing was observed.
  [[nodiscard]] double ratio(SenderWait wait) const {
    const Nanoseconds whole = observed();
    if (whole <= Nanoseconds::zero()) return 0.0;
    return static_cast<double>(span(wait).count()) / static_cast<double>(whole.count());
  }
  bool operator==(const SenderWaits&) const = default;

private:
  std::array<Nanoseconds, kSenderWaitCount> m_spans{};
};

}  // namespace tcpscope
