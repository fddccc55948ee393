#include "app/desktop/lost_step.h"

#include <algorithm>

namespace tcpscope {

namespace {

bool werePreviewed(const std::vector<ChangedSetting>& settings, const std::vector<HostChangeRow>& rows) {
  const auto wasPreviewed = [&](const ChangedSetting& setting) {
    return std::any_of(rows.begin(), rows.end(), [&](const HostChangeRow& row) {
      return row.key == setting.key && row.now == setting.original && row.wanted == setting.wanted;
    });
  };
  return !settings.empty() && std::all_of(settings.begin(), settings.end(), wasPreviewed);
}

bool isOfStep(const ChangeRecord& change, const LostStep& lost) {
  if (change.bootId != lost.bootId) return false;
  if (lost.change != 0) return change.id == lost.change;
  return change.state == ChangeState::applied && werePreviewed(change.settings, lost.previewed);
}

/// In whole seconds, as the document has them.
Milliseconds ageOf(const ChangeRecord& change, const std::optional<WallTime>& now) {
  if (!now || change.madeAtSeconds == 0) return Milliseconds(0);
  const std::chrono::seconds age(now->nanoseconds() / kNanosecondsPerSecond - change.madeAtSeconds);
  return std::max<Milliseconds>(age, Milliseconds(0));
}

}  // namespace

StepOutcome outcomeIn(const ChangeReport& journal, const LostStep& lost) {
  const auto found = std::find_if(journal.changes.rbegin(), journal.changes.rend(),
                                  [&](const ChangeRecord& change) { return isOfStep(change, lost); });
  if (found == journal.changes.rend()) {
    return {lost.change == 0 ? HostChangePhase::previewed : HostChangePhase::unknown, lost.change, {}};
  }
  switch (found->state) {
    case ChangeState::applied:
      return {HostChangePhase::inForce, found->id, ageOf(*found, journal.time)};
    case ChangeState::confirmed:
      return {HostChangePhase::kept, found->id, {}};
    case ChangeState::reverted:
    case ChangeState::gone:
      return {HostChangePhase::undone, found->id, {}};
    case ChangeState::preparing:
      break;
  }
  return {HostChangePhase::unknown, found->id, {}};
}

StepOutcome outcomeOfOptions(bool canRevert, const std::optional<Milliseconds>& left, const LostStep& lost) {
  if (left) return {HostChangePhase::inForce, 0, {}, left};
  // An earlier change that was kept can be reverted, too.
  if (lost.step == HostChangePhase::changing) return {HostChangePhase::previewed, 0, {}};
  const bool isKept = canRevert && lost.step != HostChangePhase::inForce;
  return {isKept ? HostChangePhase::kept : HostChangePhase::undone, 0, {}};
}

}  // namespace tcpscope
