#include "app/cli/analyze_output.h"

#include <algorithm>
#include <array>

#include "app/cli/analyze_table.h"
#include "app/cli/connection_output.h"
#include "app/session/ordered_work.h"
#include "core/base/escape.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/exchange_text.h"
#include "core/present/text/flow_text.h"
#include "core/present/text/quantity_text.h"
#include "core/session/capture/capture_gap.h"
#include "core/session/capture/connection_analysis.h"

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
  const std::uint64_t again = retransmittedPackets(sent);
  if (again == 0) return;
  std::string text = counted(again, "packet", "packets");
  // Of what filled a gap, the first transmission was not seen: no byte passed twice.
  if (sent.sent.retransmitted > Bytes(0)) text += fmt::format(" ({})", bytesText(sent.sent.retransmitted));
  text += ": " + causesText(sent.causes);
  if (const std::uint64_t needless = sent.needlessByTimer(); needless > 0)
    text += fmt::format("; {} of them not needed (D-SACK or timestamps)", needless);
  if (sent.sent.filledHolePackets > Count(0)) {
    text += fmt::format("; {} lost upstream of the capture point (gaps filled)", sent.sent.filledHolePackets.value());
  }
  appendItem(out, "retrans", text);
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

std::string rttText(const RttSummary& rtt) {
  const auto text = [](Nanoseconds span) { return formatTime(toSeconds(span)); };
  const auto quantile = [&](Nanoseconds span) {
    return formatQuantileTime(toSeconds(span), toSeconds(rtt.min), toSeconds(rtt.max));
  };
  return fmt::format("{} to {}, median {}, 95 % below {} ({})", text(rtt.min), text(rtt.max), quantile(rtt.median),
                     quantile(rtt.p95), counted(rtt.samples, "sample", "samples"));
}

void appendRtts(TextBuffer& out, const ConnectionAnalysis& analysis, std::size_t direction) {
  const DirectionSummary& sent = analysis.flow.directions[direction];
  const bool isWhole = isCapturedAtSender(analysis.flow, direction);
  if (sent.rtt) {
    appendItem(out, "rtt", rttText(*sent.rtt) + (isWhole ? "" : " from the capture point"));
  }
  if (sent.timestampRtt && (!isWhole || !sent.rtt)) {
    // All but the smallest may include pauses of the ends.
    appendItem(out, sent.rtt ? "" : "rtt",
               fmt::format("at least {} end to end, by timestamps ({})", formatTime(toSeconds(sent.timestampRtt->min)),
                           counted(sent.timestampRtt->samples, "sample", "samples")));
  }
}

/// What the receiving end offered to this direction.
void appendWindow(TextBuffer& out, const DirectionSummary& sent, const DirectionSummary& receiver) {
  std::string text;
  if (receiver.windowMin && receiver.windowMax) {
    text = fmt::format("receive window {} to {}", bytesText(*receiver.windowMin), bytesText(*receiver.windowMax));
  } else if (!receiver.windowScale) {
    text = "receive window unknown: no handshake with the window scale in the capture";
  }
  if (receiver.received.zeroWindowEvents > Count(0)) {
    text += ", zero " + counted(receiver.received.zeroWindowEvents.value(), "time", "times");
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
  add(sent.sent.strayPackets, "stray packet", "stray packets");
  add(sent.sent.resets, "reset", "resets");
  add(sent.copies, "duplicate ignored", "duplicates ignored");
  add(sent.undecidedCopies, "packet that may be a duplicate or retransmitted",
      "packets that may be duplicates or retransmitted");
  add(sent.earlyAcknowledgments, "acknowledgment captured before its data (order corrected)",
      "acknowledgments captured before their data (order corrected)");
  if (sent.acknowledgedUnseen > Bytes(0)) {
    text +=
        fmt::format("{}{} acknowledged but not captured", text.empty() ? "" : ", ", bytesText(sent.acknowledgedUnseen));
  }
  if (!text.empty()) appendItem(out, "other", text);
}

/// One direction: data, retransmissions, losses, RTT, window, limits.
void appendDirection(TextBuffer& out, const ConnectionAnalysis& analysis, std::size_t direction, const Style& style) {
  const DirectionSummary& sent = analysis.flow.directions[direction];
  const DirectionSummary& receiver = analysis.flow.directions[1 - direction];
  const Endpoint& end = direction == 0 ? analysis.flow.initiator : analysis.flow.responder;
  const std::string packets = counted(sent.sent.packets.value(), "packet", "packets");
  if (sent.sent.dataPackets == Count(0)) {
    const std::string rate = sent.goodput ? ": " + formatRate(*sent.goodput) : std::string();
    if (sent.isCaptured()) {
      line(out, "  {} sends no data ({})", end.toString(), packets);
    } else {
      const bool sends = sent.acknowledgedUnseen > Bytes(0);
      line(out, "  {}: {} ({}){}", end.toString(),
           sends ? "its data was not captured" : "its packets were not captured", packets, style.bold(rate));
    }
    const SideDiagnosis& side = analysis.directions[direction].diagnosis;
    const bool waits = side.verdict.limit == Limit::opening || side.verdict.limit == Limit::stalled;
    if (waits) appendDiagnosis(out, side, style);
    appendRepairs(out, sent);
    return appendOddities(out, sent);
  }
  const std::string rate = sent.goodput ? ": " + formatRate(*sent.goodput) : std::string();
  const std::string part =
      sent.isPartial() ? fmt::format(" of which {} were captured", bytesText(sent.sent.unique)) : std::string();
  line(out, "  {} sends {}{} in {}{}", end.toString(),
       bytesText(sent.isPartial() ? sent.streamBytes() : sent.sent.unique), part, packets, style.bold(rate));
  if (sent.isPartial()) {
    appendItem(out, "partial",
               "the counts are those of the packets in the capture; the rate follows from acknowledgments");
  }
  appendDiagnosis(out, analysis.directions[direction].diagnosis, style);
  appendRepairs(out, sent);
  appendLosses(out, analysis.directions[direction].loss);
  appendRtts(out, analysis, direction);
  appendWindow(out, sent, receiver);
  appendOddities(out, sent);
}

void appendFile(TextBuffer& out, const CapturedFile& file, const Style& style) {
  if (file.format == FileFormat::unknown) return;
  const std::string name = file.name.rawBytes() == "-" ? std::string("standard input") : forTerminal(file.name);
  std::string span;
  if (file.firstTime && file.lastTime) {
    span = fmt::format(" in {} from {}", formatTime(toSeconds(*file.lastTime - *file.firstTime)),
                       timeText(*file.firstTime));
  }
  line(out, "{}  {}, {} packet{}{}", style.bold(name), title(file.format), file.packets, file.packets == 1 ? "" : "s",
       span);
  for (const CaptureGap& gap : gapsOf(file)) {
    const GapSeverity level = severity(gap.kind);
    const FindingSeverity shown = level == GapSeverity::dataLoss  ? FindingSeverity::problem
                                  : level == GapSeverity::warning ? FindingSeverity::warning
                                                                  : FindingSeverity::note;
    const std::string_view word = level == GapSeverity::dataLoss  ? "missing"
                                  : level == GapSeverity::warning ? "warning"
                                                                  : "note";
    line(out, "  {}  {}", style.colored(shown, word), sentence(gap));
  }
}

void appendConnection(TextBuffer& out, const ConnectionAnalysis& analysis, const Style& style) {
  const ConnectionSummary& flow = analysis.flow;
  line(out, "{}  {} from {}, {}",
       style.bold(fmt::format("{} -> {}", flow.initiator.toString(), flow.responder.toString())),
       formatTime(toSeconds(flow.lastTime - flow.firstTime)), timeText(flow.firstTime), capturedWhere(flow));
  std::string handshake = negotiated(flow);
  if (flow.handshakeRtt) {
    handshake = fmt::format("RTT {}, {}", formatTime(toSeconds(*flow.handshakeRtt)), handshake);
  }
  line(out, "  handshake     {}", handshake);
  if (const std::string opening = openingTimes(flow); !opening.empty()) line(out, "  opening       {}", opening);
  if (analysis.exchanges) {
    line(out, "  exchanges     {}", shares(*analysis.exchanges));
    line(out, "  responses     {}", responseTimes(*analysis.exchanges));
  }
  if (!flow.initiatorIsSure) line(out, "  note          the initiator is guessed from the ports");
  for (const std::size_t direction : {analysis.bulk, 1 - analysis.bulk}) {
    appendDirection(out, analysis, direction, style);
  }
  out.push_back('\n');
}

/// In the order of the captures where no other is asked for. `before`: what is printed already.
ExitCode writeWhole(const TextBuffer& before, const std::vector<CapturedPick>& picks, const AnalysisForm& form,
                    const Style& style) {
  const std::vector<CapturedPick> shown = form.isOrdered() ? firstOf(picks, form.orderOrWorst(), form.top) : picks;
  OutputParts out;
  out.append({before.data(), before.size()});
  makeInOrder(
      shown.size(), threadsOfMachine(),
      [&](std::size_t index) {
        TextBuffer text;
        appendConnection(text, shown[index].analysis(), style);
        return text;
      },
      [&](TextBuffer&& text) {
        return out.append({text.data(), text.size()});
      });
  return out.finish();
}

}  // namespace

ExitCode writeAnalysis(const AnalysedFiles& all, const std::vector<CapturedPick>& picks, const AnalysisForm& form) {
  const Style style(form.color);
  TextBuffer out;
  for (const CapturedFile& file : all.files) appendFile(out, file, style);
  out.push_back('\n');
  if (picks.empty()) {
    line(out, "{}", form.isFiltered ? "No connection matches the filter." : "No TCP connections.");
  }
  const std::size_t shown = std::min(picks.size(), form.top.value_or(picks.size()));
  const bool isTable = shown > kConnectionsShownWhole && !form.details;
  return isTable ? writeTable(out, all, picks, form) : writeWhole(out, picks, form, style);
}

}  // namespace tcpscope
