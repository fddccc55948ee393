#include "core/model/trigger.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

namespace {

bool crosses(const LevelTrigger& trigger, double before, double now) {
  return trigger.rises ? before < trigger.level && now >= trigger.level
                       : before > trigger.level && now <= trigger.level;
}

/// No value of the chunk is at the level or beyond it.
bool staysAway(const LevelTrigger& trigger, const HistoryChunk& chunk) {
  const auto [smallest, largest] = chunk.range(trigger.metric);
  return trigger.rises ? !(largest >= trigger.level) : !(smallest <= trigger.level);
}

std::optional<Moment> firstCrossing(Moment after, const LevelTrigger& trigger, const ConnectionHistory& history) {
  double before = history.valueAt(trigger.metric, after).value_or(std::nan(""));
  const auto& chunks = history.chunks();
  const auto endsAfter = [](Moment moment, const auto& chunk) { return moment < chunk->times().back(); };
  for (auto chunk = std::upper_bound(chunks.begin(), chunks.end(), after, endsAfter); chunk != chunks.end(); ++chunk) {
    const auto& times = (*chunk)->times();
    if (staysAway(trigger, **chunk)) {
      before = history.valueAt(trigger.metric, times.back()).value_or(before);
      continue;
    }
    const auto first = std::upper_bound(times.begin(), times.end(), after);
    for (auto index = static_cast<std::size_t>(first - times.begin()); index < times.size(); ++index) {
      const double now = (*chunk)->value(trigger.metric, index);
      if (std::isnan(now)) continue;
      if (crosses(trigger, before, now)) return times[index];
      before = now;
    }
  }
  return std::nullopt;
}

std::optional<Moment> firstEvent(Moment after, HistoryEventKind kind, const std::vector<HistoryEvent>& events) {
  std::optional<Moment> first;
  for (const HistoryEvent& event : events) {
    if (event.kind == kind && event.time > after && (!first || event.time < *first)) first = event.time;
  }
  return first;
}

}  // namespace

std::optional<Moment> firstTriggerAfter(Moment after, const TriggerCondition& condition,
                                        const ConnectionHistory& history, const std::vector<HistoryEvent>& events) {
  if (const auto* level = std::get_if<LevelTrigger>(&condition)) return firstCrossing(after, *level, history);
  return firstEvent(after, std::get<HistoryEventKind>(condition), events);
}

std::vector<Moment> TriggerSearch::advance(const ConnectionHistory& history, const std::vector<HistoryEvent>& events) {
  const auto recordedUntil = history.lastTime();
  if (!recordedUntil) return {};
  if (!m_searchedUntil || recordedUntil < m_recordedUntil) m_searchedUntil = recordedUntil;
  m_recordedUntil = recordedUntil;
  std::vector<Moment> found;
  while (const auto next = firstTriggerAfter(*m_searchedUntil, m_condition, history, events)) {
    found.push_back(*next);
    m_searchedUntil = *next;
  }
  // An event may come later than samples that are newer.
  if (std::holds_alternative<LevelTrigger>(m_condition)) m_searchedUntil = recordedUntil;
  return found;
}

}  // namespace tcpscope
