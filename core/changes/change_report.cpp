#include "core/changes/change_report.h"

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
    case RestoreOutcome::gone:
      return "gone";
    case RestoreOutcome::failed:
      return "failed";
  }
  return "unknown";
}

}  // namespace tcpscope
