#include <fmt/format.h>

#include "core/present/text/sentences.h"

namespace tcpscope {

std::string_view phrase(GapKind kind) {
  switch (kind) {
    case GapKind::receiveBufferOverflow:
      return "polls with missed sockets";
    case GapKind::dumpInterrupted:
      return "inconsistent polls";
    case GapKind::malformedMessage:
      return "unreadable messages";
    case GapKind::foreignMessage:
      return "unsolicited messages";
    case GapKind::repeatedSocket:
      return "sockets seen twice";
    case GapKind::requestRefused:
      return "refused requests";
    case GapKind::queueFull:
      return "batches dropped because the analysis was late";
    case GapKind::focusSlotMissed:
      return "late samples of the selected connection";
    case GapKind::socketBudget:
      return "sockets beyond the budget";
    case GapKind::damagedFrame:
      return "damaged or truncated parts of the stream";
    case GapKind::agentEnded:
      return "agents that ended";
  }
  return "";
}

std::string sentence(const std::vector<CollectionGap>& gaps) {
  std::string text;
  for (const CollectionGap& gap : gaps) {
    if (gap.count == 0 || severity(gap.kind) == GapSeverity::info) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", phrase(gap.kind), gap.count);
  }
  return text;
}

}  // namespace tcpscope
