// Does a sender keep to a pace of its own? Linux paces in bursts (tcp_tso_autosize() in net/ipv4/tcp_output.c): each is
// about what its pacing rate lets it send in a millisecond, and the next follows when the rate allows, whatever is
// acknowledged meanwhile.
//
// The rate of a burst is its bytes by the time to the start of the next. A timer that comes late makes the next
// interval shorter (tcp_update_skb_after_send() in the same file), so that rates are compared over some bursts in a
// row. A constant limit makes all of them alike; BBR varies its rate to probe, and a sender that acknowledgments clock
// starts its bursts at these. Constant memory.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

class BurstPace {
public:
  /// A segment at the sender, and whether it was sent without any news from the peer just before.
  struct Sent {
    WallTime time;
    std::uint32_t bytes = 0;
    bool isUnprompted = false;
    /// It ends a burst after which nothing more waits to be sent.
    bool endsShort = false;
    /// Repairs follow what is reported lost.
    bool isRepairing = false;
  };
  void take(const Sent& sent);

  /// Bursts whose rate is known, and those of them that no acknowledgment prompted.
  [[nodiscard]] std::uint32_t bursts() const { return m_bursts; }
  [[nodiscard]] std::uint32_t unprompted() const { return m_unprompted; }
  /// Groups of eight bursts in a row, and those of them whose rate was that of the middle burst, within a tenth, and of
  /// which none ended short.
  [[nodiscard]] std::uint32_t groups() const { return m_groups; }
  [[nodiscard]] std::uint32_t steadyGroups() const { return m_steadyGroups; }
  /// Of the middle one of all bursts, roughly; nothing before the first.
  [[nodiscard]] std::optional<BitsPerSecond> rate() const {
    return m_bursts > 0 ? std::optional(BitsPerSecond(m_rate)) : std::nullopt;
  }

private:
  void judge(Nanoseconds interval, bool isUnprompted);
  void addToGroup(Nanoseconds interval);

  /// Bursts in a row that are not judged yet.
  struct Group {
    std::uint64_t bytes = 0;
    Nanoseconds span{0};
    std::uint8_t count = 0;
    bool hasShort = false;
  };

  WallTime m_start;
  WallTime m_last;
  double m_rate = 0.0;
  std::uint32_t m_bytes = 0;
  std::uint32_t m_bursts = 0;
  std::uint32_t m_unprompted = 0;
  std::uint32_t m_groups = 0;
  std::uint32_t m_steadyGroups = 0;
  Group m_group;
  bool m_isCounted = false;
  bool m_endsShort = false;
};

}  // namespace tcpscope
