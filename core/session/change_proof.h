// Whether a change made a transfer faster: blocks of its goodput before the change against blocks since, of the same
// connection until it closes, or of one to the same peer that began since where the change reaches new connections
// only.
//
// The samples follow each other, they do not alternate: what else happened to the path in between is in them. A round
// trip that is another one now is said.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/advice/remedy.h"
#include "core/base/sample_comparison.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class ChangeProof {
public:
  /// A window needs some RTTs to grow to what the change allows: that time is left out.
  static constexpr Nanoseconds kSettles = std::chrono::seconds(3);

  enum class State : std::uint8_t {
    /// No connection to this other end has begun since.
    awaitsConnection,
    /// What is measured has not run long enough since.
    gathers,
    compared,
    /// Too little was seen before the change.
    nothingBefore,
    /// The only connection that the change reaches was closed before it had run long enough.
    closed,
  };

  /// All that is known of the connection until `changedAt` is the sample before.
  ChangeProof(const ConnectionDetail& connection, Moment changedAt, Reach reach);

  void observe(const SessionSnapshot& snapshot);

  /// Of one connection whose past is known on both sides of a change. `previous` and `next`: when something else
  /// changed. Nothing where either side is too short.
  static std::optional<SampleComparison> compareAround(const ConnectionDetail& connection,
                                                       std::optional<Moment> previous, Moment changedAt,
                                                       std::optional<Moment> next);

  [[nodiscard]] State state() const { return m_state; }
  /// The connection that shows what the change does, of which look() needs the full picture; absent while there is
  /// none.
  [[nodiscard]] const std::optional<ConnectionId>& measured() const { return m_measured; }
  /// Of block means in bit/s; means something only once it is compared.
  [[nodiscard]] const SampleComparison& comparison() const { return m_comparison; }
  /// Minimum RTT before and since the change, where they differ by more than a tenth.
  struct Rtts {
    Microseconds before;
    Microseconds since;
  };
  [[nodiscard]] const std::optional<Rtts>& changedRtts() const { return m_changedRtts; }

private:
  [[nodiscard]] const ConnectionFacts* newestSince(const SessionSnapshot& snapshot) const;
  /// `began` is when the change began to show in it.
  void measure(const ConnectionDetail& detail, Moment began);
  void compareAll();

  ConnectionFacts m_connection;
  Side m_side;
  Moment m_changedAt;
  Reach m_reach;
  std::vector<double> m_before;
  std::optional<Microseconds> m_rttBefore;
  State m_state = State::gathers;
  std::optional<ConnectionId> m_measured;
  /// Blocks of every connection that showed the change: the one after it may begin before there are enough.
  std::map<ConnectionId, std::vector<double>> m_since;
  SampleComparison m_comparison;
  std::optional<Rtts> m_changedRtts;
};

}  // namespace tcpscope
