#include "app/desktop/change_finding.h"

#include <algorithm>

namespace tcpscope {

namespace {

bool wereShown(const std::vector<ChangedSetting>& settings, const std::vector<HostChangeRow>& rows) {
  const auto wasShown = [&](const ChangedSetting& setting) {
    return std::any_of(rows.begin(), rows.end(), [&](const HostChangeRow& row) {
      return row.key == setting.key && row.now == setting.original && row.wanted == setting.wanted;
    });
  };
  return !settings.empty() && std::all_of(settings.begin(), settings.end(), wasShown);
}

bool isIt(const JournalledChange& change, const LostStep& lost) {
  if (change.bootId != lost.bootId) return false;
  if (lost.change != 0) return change.number == lost.change;
  return change.state == ChangeState::applied && wereShown(change.settings, lost.shown);
}

}  // namespace

ChangeFinding findingIn(const std::vector<JournalledChange>& journal, const LostStep& lost) {
  const auto found = std::find_if(journal.rbegin(), journal.rend(),
                                  [&](const JournalledChange& change) { return isIt(change, lost); });
  if (found == journal.rend()) {
    return {lost.change == 0 ? HostChangePhase::previewed : HostChangePhase::notKnown, lost.change, {}};
  }
  switch (found->state) {
    case ChangeState::applied:
      return {HostChangePhase::inForce, found->number, found->age};
    case ChangeState::confirmed:
      return {HostChangePhase::kept, found->number, {}};
    case ChangeState::reverted:
      return {HostChangePhase::undone, found->number, {}};
    case ChangeState::preparing:
      break;
  }
  return {HostChangePhase::notKnown, found->number, {}};
}

ChangeFinding findingIn(const ChangeAnswer& options, const LostStep& lost) {
  if (options.canUndo) return {HostChangePhase::inForce, 0, {}};
  return {lost.step == HostChangePhase::changing ? HostChangePhase::previewed : HostChangePhase::undone, 0, {}};
}

}  // namespace tcpscope
