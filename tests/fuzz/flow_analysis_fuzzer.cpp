// Any bytes as packets of a few connections: each byte of payload is counted in one way, what belongs together agrees,
// memory stays within what the input can ask for, the document of it all is JSON, and it is the same where connections
// are kept as logs of their packets.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/base/invariant.h"
#include "core/present/json/capture_document.h"
#include "core/session/capture/capture_analysis.h"

namespace {

using namespace tcpscope;

class Input {
public:
  explicit Input(std::span<const std::byte> bytes) : m_bytes(bytes) {}
  [[nodiscard]] bool isEmpty() const { return m_bytes.empty(); }
  std::uint32_t take(std::size_t count) {
    std::uint32_t value = 0;
    for (; count > 0 && !m_bytes.empty(); --count) value = value << 8 | std::to_integer<std::uint32_t>(takeSpan(1)[0]);
    return value;
  }
  std::span<const std::byte> takeSpan(std::size_t count) {
    const auto taken = m_bytes.first(std::min(count, m_bytes.size()));
    m_bytes = m_bytes.subspan(taken.size());
    return taken;
  }

private:
  std::span<const std::byte> m_bytes;
};

Endpoint endpoint(unsigned number) {
  return {IpAddress::v4({10, 0, 0, static_cast<std::uint8_t>(number)}), static_cast<std::uint16_t>(80 + number)};
}

/// Small numbers are frequent, so that sequence numbers meet.
std::uint32_t number(Input& input, unsigned form) {
  switch (form & 3U) {
    case 0:
      return input.take(1) * 100;
    case 1:
      return 0xFFFF'FF00 + input.take(2);
    case 2:
      return input.take(2);
    default:
      return input.take(4);
  }
}

PacketSample packet(Input& input, WallTime& time) {
  const unsigned form = input.take(1);
  const unsigned shape = input.take(1);
  PacketSample sample;
  time = (shape & 0x80U) != 0 ? time - Nanoseconds(input.take(3)) : time + Milliseconds(shape & 0x3FU);
  sample.time = time;
  sample.source = endpoint(form & 1U);
  sample.destination = endpoint((form & 1U) != 0 ? 0 : (form & 2U) != 0 ? 1 : 2);
  sample.flags.bits = static_cast<std::uint8_t>(input.take(1));
  sample.sequence = number(input, form >> 2);
  sample.acknowledgment = number(input, form >> 4);
  sample.payloadBytes = (form & 0x40U) != 0 ? input.take(1) : input.take(1) * 100;
  sample.window = static_cast<std::uint16_t>(input.take(1));
  sample.optionsAreCut = (shape & 0x40U) != 0;
  if ((form & 0x80U) != 0) sample.options = input.takeSpan(input.take(1) % 41);
  return sample;
}

void check(const ExchangeSummary& exchanges) {
  TCPSCOPE_INVARIANT(exchanges.count > 0);
  for (const Nanoseconds part : {exchanges.client, exchanges.network, exchanges.server, exchanges.requestTransfer,
                                 exchanges.responseTransfer, exchanges.delayedPieceTime}) {
    TCPSCOPE_INVARIANT(part >= Nanoseconds::zero());
  }
  TCPSCOPE_INVARIANT(exchanges.delayedPieceTime <= exchanges.requestTransfer);
  TCPSCOPE_INVARIANT(exchanges.responseMedian <= exchanges.responseP95);
  TCPSCOPE_INVARIANT(exchanges.slowest.size() <= 5);
}

void check(const DirectionSummary& direction) {
  const TransmissionCounts& sent = direction.sent;
  TCPSCOPE_INVARIANT(sent.payload == sent.unique + sent.retransmitted + sent.probe + sent.stray);
  TCPSCOPE_INVARIANT(sent.dataPackets <= sent.packets);
  TCPSCOPE_INVARIANT(sent.segments.value() >= sent.dataPackets.value());
  TCPSCOPE_INVARIANT(sent.retransmittedPackets + sent.outOfOrderPackets + sent.filledHolePackets + sent.strayPackets <=
                     sent.packets + sent.packets);
  TCPSCOPE_INVARIANT((sent.retransmitted == Bytes(0)) == (sent.retransmittedPackets == Count(0)));
  std::uint64_t ofAllCauses = 0;
  for (std::size_t cause = 0; cause < kRetransmissionCauseCount; ++cause) {
    ofAllCauses += direction.causes.of(static_cast<RetransmissionCause>(cause)).value();
  }
  TCPSCOPE_INVARIANT(ofAllCauses == direction.retransmissions.size() + direction.retransmissionsLeftOut.value());
  TCPSCOPE_INVARIANT(Count(ofAllCauses) ==
                     sent.retransmittedPackets + sent.controlRetransmissions + sent.filledHolePackets);
  for (const auto& rtt : {direction.rtt, direction.timestampRtt}) {
    if (!rtt) continue;
    TCPSCOPE_INVARIANT(rtt->min <= rtt->median && rtt->median <= rtt->p95);
    TCPSCOPE_INVARIANT(rtt->p95 <= rtt->max && rtt->min >= Nanoseconds::zero());
  }
  TCPSCOPE_INVARIANT(!direction.windowMin || *direction.windowMin <= *direction.windowMax);
}

void check(const LossSummary& loss, const DirectionSummary& sent) {
  TCPSCOPE_INVARIANT(loss.events.size() <= loss.lostPackets);
  TCPSCOPE_INVARIANT(loss.intervalsRtt.size() < std::max<std::size_t>(loss.lostPackets, 1));
  // A loss is what came again.
  const std::uint64_t again =
      (sent.sent.retransmittedPackets + sent.sent.controlRetransmissions + sent.sent.filledHolePackets).value();
  TCPSCOPE_INVARIANT(again > 0 || loss.lostPackets == 0);
}

std::string documentOf(const CaptureAnalysis& analysis) {
  CaptureDocumentPieces pieces;
  std::string document = pieces.begin({CapturedFile()});
  for (std::size_t index = 0; index < analysis.connectionCount(); ++index) {
    const ConnectionAnalysis connection = analysis.connection(index);
    if (connection.exchanges) check(*connection.exchanges);
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      check(connection.directions[side].loss, connection.flow.directions[side]);
    }
    document += pieces.connection(captureConnectionPiece(connection, 0));
  }
  return document + pieces.end();
}

void checkDocument(const std::string& document, const CaptureAnalysis& analysis) {
  const nlohmann::json json = nlohmann::json::parse(document, nullptr, false);
  TCPSCOPE_INVARIANT(!json.is_discarded());
  TCPSCOPE_INVARIANT(json.at("connections").size() == analysis.connectionCount());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Input input(std::as_bytes(std::span(bytes, size)));
  CaptureAnalysis analysis(64);
  analysis.correctOrder();
  CaptureAnalysis logging(64);
  logging.correctOrder();
  logging.keepLogs(1);
  WallTime time = WallTime::fromNanoseconds(1'000'000'000'000);
  std::uint64_t packets = 0;
  while (!input.isEmpty()) {
    const PacketSample sample = packet(input, time);
    ++packets;
    const FlowPacket taken = analysis.take(sample);
    logging.take(sample);
    if (taken.connection == nullptr) continue;
    TCPSCOPE_INVARIANT(taken.connection->endpoint(taken.side) == sample.source);
    TCPSCOPE_INVARIANT(taken.role.segment.range.begin <= taken.role.segment.range.end);
  }
  analysis.finish();
  logging.finish();
  std::uint64_t counted = analysis.refusedPackets();
  for (const auto& connection : analysis.flows().connections()) {
    const ConnectionSummary summary = connection->summary();
    for (const DirectionSummary& direction : summary.directions) {
      check(direction);
      counted += direction.sent.packets.value() + direction.copies.value();
    }
  }
  TCPSCOPE_INVARIANT(counted == packets);
  // A GSO aggregate that is lost again and again: 128 losses of it, and their times.
  constexpr std::size_t kPerPacket = 16 << 10;
  constexpr std::size_t kPerConnection = 16 << 10;
  TCPSCOPE_INVARIANT(analysis.residentBytes() <= packets * kPerPacket + analysis.connectionCount() * kPerConnection);
  const std::string document = documentOf(analysis);
  checkDocument(document, analysis);
  TCPSCOPE_INVARIANT(documentOf(logging) == document);
  return 0;
}
