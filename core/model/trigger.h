// What the scope's trigger waits for, and when a connection's record met it.
#pragma once

#include <variant>
#include <vector>

#include "core/model/connection_history.h"
#include "core/model/history_event.h"

namespace tcpscope {

/// A figure that rises to a level, or falls to it, in the metric's base unit. A sample in which it is not known is
/// none: the ones around it count as neighbours.
struct LevelTrigger {
  Metric metric = Metric::count;
  bool rises = true;
  double level = 0.0;
  bool operator==(const LevelTrigger&) const = default;
};

using TriggerCondition = std::variant<HistoryEventKind, LevelTrigger>;

/// The first moment after `after`; `events` may be in any order.
std::optional<Moment> firstTriggerAfter(Moment after, const TriggerCondition& condition,
                                        const ConnectionHistory& history, const std::vector<HistoryEvent>& events);

/// Follows one connection's record, of which each call sees a longer part: each trigger is found once.
class TriggerSearch {
public:
  explicit TriggerSearch(const TriggerCondition& condition) : m_condition(condition) {}

  [[nodiscard]] const TriggerCondition& condition() const { return m_condition; }
  /// Those since the last call, in order of time. What the first call sees was before the trigger was armed. A record
  /// that ends earlier than before, as a replay's that goes back, arms it again.
  std::vector<Moment> advance(const ConnectionHistory& history, const std::vector<HistoryEvent>& events);

private:
  TriggerCondition m_condition;
  std::optional<Moment> m_searchedUntil;
  std::optional<Moment> m_recordedUntil;
};

}  // namespace tcpscope
