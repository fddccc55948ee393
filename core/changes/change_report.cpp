#include "core/changes/change_report.h"

#include <algorithm>

namespace tcpscope {

std::string_view name(PreviewVerdict verdict) {
  switch (verdict) {
    case PreviewVerdict::changes:
      return "changes";
    case PreviewVerdict::same:
      return "same";
    case PreviewVerdict::refused:
      return "refused";
    case PreviewVerdict::missing:
      return "missing";
  }
  return "unknown";
}

std::string_view name(RestoreOutcome outcome) {
  switch (outcome) {
    case RestoreOutcome::restored:
      return "restored";
    case RestoreOutcome::wasOriginal:
      return "was_original";
    case RestoreOutcome::leftAlone:
      return "left_alone";
    case RestoreOutcome::handedOn:
      return "handed_on";
    case RestoreOutcome::failed:
      return "failed";
  }
  return "unknown";
}

ChangeReport ChangeReport::of(std::vector<SettingPreview> previews, WallTime time) {
  ChangeReport report{Content::preview, time};
  report.previews = std::move(previews);
  return report;
}

ChangeReport ChangeReport::of(std::vector<ChangeRecord> changes, WallTime time) {
  ChangeReport report{Content::changes, time};
  report.changes = std::move(changes);
  return report;
}

ChangeReport ChangeReport::of(RevertedChange reverted, WallTime time) {
  ChangeReport report{Content::revert, time};
  report.changes.push_back(std::move(reverted.record));
  report.restored = std::move(reverted.settings);
  report.fileLeftAlone = reverted.fileLeftAlone;
  return report;
}

bool ChangeReport::canApply() const {
  const auto has = [&](PreviewVerdict verdict) {
    return std::any_of(previews.begin(), previews.end(),
                       [verdict](const SettingPreview& row) { return row.verdict == verdict; });
  };
  return has(PreviewVerdict::changes) && !has(PreviewVerdict::refused) && !has(PreviewVerdict::missing);
}

bool ChangeReport::isPartial() const {
  const auto isLeft = [](const RestoredSetting& row) {
    return row.outcome == RestoreOutcome::leftAlone || row.outcome == RestoreOutcome::failed;
  };
  return fileLeftAlone || !leftAlone.empty() || std::any_of(restored.begin(), restored.end(), isLeft);
}

}  // namespace tcpscope
