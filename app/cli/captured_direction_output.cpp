#include "app/cli/captured_direction_output.h"

#include <algorithm>
#include <array>

#include "core/present/text/flow_text.h"
#include "core/present/text/loss_text.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string bytesText(Bytes bytes) {
  return formatBytes(static_cast<double>(bytes.value()));
}

/// "fast 2, in recovery 11", most first.
std::string causesText(const RetransmissionCounts& counts) {
  std::array<RetransmissionCause, kRetransmissionCauseCount> order{};
  for (std::size_t index = 0; index < order.size(); ++index) order.at(index) = static_cast<RetransmissionCause>(index);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return counts.of(a) > counts.of(b); });
  std::string text;
  for (const RetransmissionCause cause : order) {
    if (counts.of(cause) == Count(0)) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts.of(cause).value(), phrase(cause));
  }
  return text;
}

void appendRepairs(TextBuffer& out, const DirectionSummary& sent) {
  const std::uint64_t again = sentAgain(sent);
  if (again == 0) return;
  std::string text = fmt::format("{} ({}): {}", counted(again, "packet", "packets"), bytesText(sent.sent.retransmitted),
                                 causesText(sent.causes));
  if (sent.sent.filledHolePackets > Count(0)) {
    text += fmt::format("; {} lost before the capture point", sent.sent.filledHolePackets.value());
  }
  appendItem(out, "again", text);
}

void appendLosses(TextBuffer& out, const LossSummary& loss) {
  if (loss.lostPackets == 0) return;
  if (loss.verdict.cause == BurstCause::reordering) {
    return appendItem(
        out, "lost",
        fmt::format("at most {}. {}", counted(loss.lostPackets, "packet", "packets"), sentence(loss.verdict)));
  }
  std::string text = counted(loss.lostPackets, "packet", "packets");
  if (!loss.events.empty()) text += " in " + counted(loss.events.size(), "event", "events");
  appendItem(out, "lost", fmt::format("{}. {}", text, sentence(loss.verdict)));
  if (loss.eventRatio && !loss.events.empty()) appendItem(out, "", sentence(*loss.eventRatio, 0) + ".");
  if (!loss.randomDrop) return;
  appendItem(out, "", sentence(*loss.randomDrop));
  appendItem(out, "", kCaptureHoldsSendersBursts);
}

std::string roundTripText(const RoundTripSummary& roundTrip) {
  const auto text = [](Nanoseconds span) { return formatTime(toSeconds(span)); };
  return fmt::format("{} to {}, median {}, 95 % below {} ({})", text(roundTrip.min), text(roundTrip.max),
                     text(roundTrip.median), text(roundTrip.p95), counted(roundTrip.samples, "sample", "samples"));
}

void appendRoundTrips(TextBuffer& out, const ConnectionAnalysis& analysis, std::size_t direction) {
  const DirectionSummary& sent = analysis.flow.directions[direction];
  const bool isWhole = isCapturedAtSender(analysis.flow, direction);
  if (sent.roundTrip) {
    appendItem(out, "rtt", roundTripText(*sent.roundTrip) + (isWhole ? "" : " from the capture point on"));
  }
  if (sent.timestampRoundTrip && (!isWhole || !sent.roundTrip)) {
    appendItem(out, sent.roundTrip ? "" : "rtt",
               roundTripText(*sent.timestampRoundTrip) + " of the whole path, by timestamps");
  }
}

/// What the receiving end offered to this direction.
void appendWindow(TextBuffer& out, const DirectionSummary& sent, const DirectionSummary& receiver) {
  std::string text;
  if (receiver.windowMin && receiver.windowMax) {
    text = fmt::format("receiver offers {} to {}", bytesText(*receiver.windowMin), bytesText(*receiver.windowMax));
  } else if (!receiver.windowScale) {
    text = "what the receiver offers is not known: the capture has no handshake that says its scale";
  }
  if (receiver.received.zeroWindowEvents > Count(0)) {
    text += ", closes it " + counted(receiver.received.zeroWindowEvents.value(), "time", "times");
  }
  if (sent.maxInFlight)
    text += fmt::format("{}at most {} in flight", text.empty() ? "" : "; ", bytesText(*sent.maxInFlight));
  if (!text.empty()) appendItem(out, "window", text);
}

void appendOddities(TextBuffer& out, const DirectionSummary& sent) {
  std::string text;
  const auto add = [&](Count count, std::string_view one, std::string_view many) {
    if (count > Count(0)) text += (text.empty() ? "" : ", ") + counted(count.value(), one, many);
  };
  add(sent.sent.outOfOrderPackets, "packet out of order", "packets out of order");
  add(sent.sent.zeroWindowProbes, "zero-window probe", "zero-window probes");
  add(sent.sent.keepAlives, "keep-alive", "keep-alives");
  add(sent.sent.strayPackets, "packet that cannot belong to it", "packets that cannot belong to it");
  add(sent.sent.resets, "reset", "resets");
  add(sent.copies, "copy of a packet left out", "copies of packets left out");
  add(sent.undecidedCopies, "packet that may be a copy, or sent again", "packets that may be copies, or sent again");
  if (sent.acknowledgedUnseen > Bytes(0)) {
    text += fmt::format("{}{} acknowledged that the capture does not hold", text.empty() ? "" : ", ",
                        bytesText(sent.acknowledgedUnseen));
  }
  if (!text.empty()) appendItem(out, "besides", text);
}

}  // namespace

std::uint64_t sentAgain(const DirectionSummary& direction) {
  return (direction.sent.retransmittedPackets + direction.sent.controlRetransmissions +
          direction.sent.filledHolePackets)
      .value();
}

void appendDirection(TextBuffer& out, const ConnectionAnalysis& analysis, std::size_t direction, const Style& style) {
  const DirectionSummary& sent = analysis.flow.directions[direction];
  const DirectionSummary& receiver = analysis.flow.directions[1 - direction];
  const Endpoint& end = direction == 0 ? analysis.flow.initiator : analysis.flow.responder;
  const std::string packets = counted(sent.sent.packets.value(), "packet", "packets");
  if (sent.sent.dataPackets == Count(0)) {
    line(out, "  {} sends no data ({})", end.toString(), packets);
    appendRepairs(out, sent);
    return appendOddities(out, sent);
  }
  const std::string rate = sent.goodput ? ": " + formatRate(*sent.goodput) : std::string();
  line(out, "  {} sends {} in {}{}", end.toString(), bytesText(sent.sent.unique), packets, style.bold(rate));
  appendDiagnosis(out, analysis.directions[direction].diagnosis, style);
  appendRepairs(out, sent);
  appendLosses(out, analysis.directions[direction].loss);
  appendRoundTrips(out, analysis, direction);
  appendWindow(out, sent, receiver);
  appendOddities(out, sent);
}

}  // namespace tcpscope
