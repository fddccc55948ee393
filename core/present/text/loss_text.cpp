#include "core/present/text/loss_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string lossText(const LossReport& report) {
  const DropMatch& match = *report.match;
  const std::string where = match.networkNamespace && match.networkNamespace != report.networkNamespace
                                ? fmt::format(", in network namespace {}", *match.networkNamespace)
                                : std::string();
  const std::string reason = report.reason ? reasonText(*report.reason) + where : std::string();
  if (match.droppedLength > 0 && match.droppedLength >= report.sequenceLength) {
    return "lost on this host: " + reason;
  }
  const std::string incomplete =
      match.completeFor < kLongestRto
          ? fmt::format("; drops more than {} before are unknown", formatTime(toSeconds(match.completeFor)))
          : std::string();
  if (match.droppedLength > 0) {
    return fmt::format("lost on this host in part ({} of {}): {}{}", match.droppedLength, report.sequenceLength, reason,
                       incomplete);
  }
  return "no drop of it seen on this host" + incomplete;
}

}  // namespace

std::string reasonText(const DropReason& reason) {
  // The upper half is the subsystem's number (include/net/dropreason.h); their names are not in the enum.
  constexpr std::uint32_t kFirstOfSubsystems = 0x10000;
  if (reason.name.empty()) {
    return fmt::format(
        "reason {}{}", reason.number,
        reason.number >= kFirstOfSubsystems ? " of a subsystem of the kernel" : ", which this kernel does not name");
  }
  if (reason.name == "NOT_SPECIFIED") return "the kernel gives no reason (NOT_SPECIFIED)";
  std::string words = reason.name;
  std::transform(words.begin(), words.end(), words.begin(),
                 [](unsigned char letter) { return letter == '_' ? ' ' : static_cast<char>(std::tolower(letter)); });
  return fmt::format("{} ({})", words, reason.name);
}

std::string causeText(const LossReport& report) {
  if (report.match) return lossText(report);
  return "dropped on this host: " + (report.reason ? reasonText(*report.reason) : std::string("reason unknown"));
}

std::string sentence(const LossReport& report) {
  std::string text = causeText(report);
  text += report.sequenceLength == 0 ? fmt::format("; sequence {}, no data", report.sequence)
                                     : fmt::format("; sequence {}, length {}", report.sequence, report.sequenceLength);
  if (report.isElsewhere && report.networkNamespace) {
    text += fmt::format("; network namespace {}", *report.networkNamespace);
  }
  return text;
}

std::string eventText(const ReportedLoss& loss) {
  std::string_view what = loss.isFromPeer ? "Packet from the peer" : "Packet to the peer";
  if (loss.kind == HistoryEventKind::retransmission) what = "Retransmission";
  return fmt::format("{}: {}", what, sentence(loss.report));
}

std::string summary(const std::vector<ReportedLoss>& losses) {
  if (losses.empty()) return {};
  const auto count = [&losses](auto&& isOne) { return std::count_if(losses.begin(), losses.end(), isOne); };
  const auto isRetransmission = [](const ReportedLoss& loss) { return loss.report.match.has_value(); };
  const auto isLostHere = [](const ReportedLoss& loss) {
    return loss.report.match && loss.report.match->droppedLength > 0;
  };
  const auto isDropFromPeer = [&](const ReportedLoss& loss) { return !isRetransmission(loss) && loss.isFromPeer; };
  const auto isDropToPeer = [&](const ReportedLoss& loss) { return !isRetransmission(loss) && !loss.isFromPeer; };
  return fmt::format(
      "Retransmissions of data that this host had dropped: {} of the last {}. Packets dropped on this host lately: {} "
      "to "
      "the peer, {} from the peer.",
      count(isLostHere), count(isRetransmission), count(isDropToPeer), count(isDropFromPeer));
}

}  // namespace tcpscope
