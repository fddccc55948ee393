#include "core/present/text/packet_comments.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/present/text/diagnosis_text.h"
#include "core/present/text/flow_text.h"

namespace tcpscope {

namespace {

using Comments = std::map<std::uint64_t, std::string>;

void addLine(Comments& comments, std::uint64_t packet, const std::string& line) {
  std::string& text = comments[packet];
  if (!text.empty()) text += '\n';
  text += line;
}

/// Empty for new data in its place.
std::string commentOf(SegmentKind kind, RetransmissionCause cause) {
  switch (kind) {
    case SegmentKind::retransmission:
      return fmt::format("Retransmission: {}", phrase(cause));
    case SegmentKind::outOfOrder:
      return "Out of order: reordered on the path";
    case SegmentKind::filledHole:
      return "Fills a gap: the original was lost before the capture point";
    case SegmentKind::keepAlive:
      return "Keep-alive";
    case SegmentKind::zeroWindowProbe:
      return "Probe of a closed receive window";
    case SegmentKind::stray:
      return "Stray: payload outside of the window";
    case SegmentKind::none:
    case SegmentKind::newData:
      break;
  }
  return {};
}

void commentOn(const DirectionSeries& series, Comments& comments) {
  for (std::size_t number = 0; number < series.marks().size(); ++number) {
    const SegmentMark mark = series.marks()[number];
    const SegmentPoint& point = series.segments()[mark.index];
    if (const std::string text = commentOf(point.kind, mark.cause); !text.empty())
      addLine(comments, point.packet, text);
  }
  bool isClosed = false;
  series.acknowledgments().forEach(0, series.acknowledgments().size(),
                                   [&](const AcknowledgmentPoint& point, std::size_t) {
                                     if (!point.hasWindow) return;
                                     if (point.isZeroWindow() && !isClosed) {
                                       addLine(comments, point.packet, "Closes the receive window");
                                     } else if (!point.isZeroWindow() && isClosed) {
                                       addLine(comments, point.packet, "Opens the receive window again");
                                     }
                                     isClosed = point.isZeroWindow();
                                   });
}

std::optional<std::uint64_t> firstPacketOf(const CapturedPackets& packets) {
  std::optional<std::uint64_t> first;
  const auto add = [&first](std::uint64_t packet) { first = std::min(first.value_or(packet), packet); };
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
    const DirectionSeries& series = packets.sent(direction);
    if (!series.segments().empty()) add(series.segments()[0].packet);
    if (!series.acknowledgments().empty()) add(series.acknowledgments()[0].packet);
  }
  return first;
}

/// Of the direction that carries the bulk of the data.
std::string diagnosisOf(const ConnectionAnalysis& analysis) {
  const SideDiagnosis& diagnosis = analysis.directions.at(analysis.bulk).diagnosis;
  std::string text = sentence(diagnosis.verdict, Side::sending);
  for (const Finding& finding : diagnosis.findings) text += '\n' + sentence(finding, Side::sending);
  return text;
}

}  // namespace

Comments packetComments(const CapturedPackets& packets) {
  Comments comments;
  const auto first = firstPacketOf(packets);
  if (!first) return comments;
  addLine(comments, *first, diagnosisOf(packets.analysis));
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) commentOn(packets.sent(direction), comments);
  return comments;
}

}  // namespace tcpscope
