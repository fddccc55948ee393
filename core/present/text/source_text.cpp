#include "core/present/text/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/escape.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/report_text.h"

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
    case GapKind::textCut:
      return "names and settings cut at 256 bytes";
    case GapKind::ownerBudget:
      return "processes beyond the memory budget, not named";
    case GapKind::recordBudget:
      return "history beyond the memory budget, connections or samples";
    case GapKind::eventsLost:
      return "lost reports of dropped or retransmitted packets (too many at once)";
    case GapKind::namespacesHidden:
      return "hosts where this login may not see every network namespace";
    case GapKind::detailBudget:
      return "connections beyond the memory budget, without details (a filter narrows them)";
  }
  return "";
}

std::string sentence(const std::vector<CollectionGap>& gaps) {
  // One kind may come from several places.
  std::vector<std::pair<GapKind, std::uint64_t>> sums;
  for (const CollectionGap& gap : gaps) {
    if (gap.count == 0 || severity(gap.kind) == GapSeverity::info) continue;
    const auto known = std::find_if(sums.begin(), sums.end(), [&](const auto& sum) { return sum.first == gap.kind; });
    if (known == sums.end()) {
      sums.emplace_back(gap.kind, gap.count);
    } else {
      known->second += gap.count;
    }
  }
  std::string text;
  for (const auto& [kind, count] : sums) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", phrase(kind), count);
  }
  return text;
}

std::string incompleteText(const std::vector<CollectionGap>& gaps) {
  const std::string lost = sentence(gaps);
  return lost.empty() ? lost : "incomplete: " + lost;
}

std::string damageText(const RecordingFacts& recording) {
  std::string text;
  if (recording.damagedPieces > 0) {
    const bool isOne = recording.damagedPieces == 1;
    text =
        fmt::format("damaged {} after its start, where {} cannot be read", formatTime(toSeconds(recording.firstDamage)),
                    isOne ? "a segment" : fmt::format("the first of {} segments", recording.damagedPieces));
  }
  if (!recording.isCut) return text;
  return fmt::format("{}{}truncated {} after its start", text, text.empty() ? "" : ", and ",
                     formatTime(toSeconds(recording.length)));
}

std::string recordedText(const RecordingFacts& recording) {
  std::string text =
      fmt::format("{}, for {}", formatWallTime(recording.begun), formatTime(toSeconds(recording.length)));
  if (!recording.program.empty()) text += ", by " + forPlainText(recording.program);
  return text;
}

std::string nothingToRecordSentence() {
  return "a file is shown, or nothing yet: close the file to record this host";
}

std::string recordedPacketsSentence(std::uint64_t packets, std::uint64_t leftOut, Bytes budget,
                                    const UntrustedText& file) {
  const std::string most = formatBytes(static_cast<double>(budget.value()));
  if (packets == 0 && leftOut == 0) {
    return fmt::format("No packets are recorded so far; at most {} of headers will be.", most);
  }
  std::string text =
      fmt::format("{} packet headers in {}, which takes up to {}", formatCount(packets), forPlainText(file), most);
  if (leftOut > 0) text += fmt::format("; {} more were left out", formatCount(leftOut));
  return text + '.';
}

std::string alreadyConnectedSentence(const UntrustedText& host) {
  return fmt::format("'{}' is already in the list; disconnect it first to reconnect", forTerminal(host));
}

}  // namespace tcpscope
