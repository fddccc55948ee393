// What a capture shows of one connection, in units and without the means by which it was found: for documents, rules
// and views.
//
// Unknown is nothing, never zero: options without a SYN, scaled windows without a scale, RTTs without an
// acknowledgment.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/endpoint.h"
#include "core/wire/flow/retransmission.h"

namespace tcpscope {

/// What one end offered in its SYN. What holds is what both offered.
struct OfferedOptions {
  std::optional<Bytes> mss;
  /// As offered; more than 14 means 14 (RFC 7323 §2.3).
  std::optional<std::uint8_t> windowScale;
  bool sack = false;
  bool timestamps = false;
  /// The classic bits of RFC 3168 §6.1.1.
  bool ecn = false;
  bool accurateEcn = false;
  bool fastOpen = false;
  bool multipath = false;
  /// The options were damaged, or a short snap length took some: what is not here may have been offered all the same.
  bool mayBeIncomplete = false;
};

/// Plain counts over one direction: what this end sent.
struct TransmissionCounts {
  Count packets;
  /// Packets with payload.
  Count dataPackets;
  /// The same with GRO aggregates counted as packets: payload by MSS, rounded up.
  Segments segments;
  /// Data packets larger than the MSS.
  Count aggregates;

  /// payload = unique + retransmitted + probe + stray.
  Bytes payload;
  /// Bytes of the stream, each once.
  Bytes unique;
  /// Bytes that had been seen in this direction before.
  Bytes retransmitted;
  /// Payload of keep-alives and of probes into a closed window.
  Bytes probe;
  /// Payload that cannot belong to the stream: more than a window away, or in a reset.
  Bytes stray;

  Count retransmittedPackets;
  /// SYN or FIN again, without payload.
  Count controlRetransmissions;
  /// New data below what was seen, too early to be a retransmission: the network changed the order.
  Count outOfOrderPackets;
  /// New data below what was seen, late: retransmitted because the first was lost before the capture point (gap
  /// filled).
  Count filledHolePackets;
  Count zeroWindowProbes;
  Count keepAlives;
  Count strayPackets;
  Count syns;
  Count fins;
  Count resets;
};

/// Plain counts of what this end acknowledged and advertised.
struct ReceptionCounts {
  /// RFC 5681 §2, counted for who sends them; the answer to a probe is none.
  Count duplicateAcks;
  /// Acknowledgments that report a duplicate (RFC 2883).
  Count duplicateReports;
  /// How often the window closed.
  Count zeroWindowEvents;
  /// Acknowledgments of nothing new that change the window.
  Count windowUpdates;
};

/// See RttDistribution for how exact the quantiles are.
struct RttSummary {
  std::uint64_t samples = 0;
  Nanoseconds min{0};
  Nanoseconds median{0};
  Nanoseconds p95{0};
  Nanoseconds max{0};
};

struct DirectionSummary {
  TransmissionCounts sent;
  ReceptionCounts received;
  std::vector<Retransmission> retransmissions;
  /// How many more there were than the list holds.
  Count retransmissionsLeftOut;
  RetransmissionCounts causes;
  /// Packets that were seen before at another place of the same host, or that something on the way delivered twice:
  /// left out of all else.
  Count copies;
  /// The same may hold for so many of the apparent retransmissions; nothing in them decides it.
  Count undecidedCopies;
  /// Packets of this end that the capture recorded before the data which they acknowledge; they were put behind it.
  Count earlyAcknowledgments;

  /// Since the last packet of the other end: retransmissions, those of SYN and FIN included, keep-alives, and probes of
  /// its closed window.
  Count unansweredRetransmissions;
  Count unansweredKeepAlives;
  Count unansweredWindowProbes;
  /// It has waited since then for an answer of the other end; absent where it waits for none.
  std::optional<WallTime> waitsSince;
  /// Of its last packet; nothing where there was none.
  std::optional<WallTime> lastTime;
  /// Nothing where its SYN was not seen.
  std::optional<OfferedOptions> offered;
  /// The window scale; nothing if unknown.
  std::optional<std::uint8_t> windowScale;
  /// Smallest and largest window that this end advertised, SYN aside; nothing without a scale.
  std::optional<Bytes> windowMin;
  std::optional<Bytes> windowMax;

  /// From data of this direction at the capture point to its acknowledgment: half the way when the point is in the
  /// middle, next to nothing at the receiver. By Karn's rule, SACK included.
  std::optional<RttSummary> rtt;
  /// The whole RTT at any vantage point, by timestamps; includes the ends' own waiting, so that the minimum counts.
  std::optional<RttSummary> timestampRtt;

  /// Most that was sent and neither acknowledged nor SACKed; nothing while no acknowledgment was seen.
  std::optional<Bytes> maxInFlight;
  /// Stream bytes that were acknowledged but never seen: the capture is incomplete.
  Bytes acknowledgedUnseen;
  /// Data segments that were acknowledged, of those that were seen.
  std::uint64_t deliveredSegments = 0;
  /// When the first data passed that the capture holds; nothing where it holds none.
  std::optional<WallTime> firstData;
  /// From the first data to the last data or its acknowledgment.
  std::optional<Nanoseconds> dataSpan;
  /// Stream bytes and payload over that span; nothing for a single flight. By acknowledgments where data is missing
  /// from the capture, which then shows no throughput.
  std::optional<BitsPerSecond> goodput;
  std::optional<BitsPerSecond> throughput;
  /// Things that the limits on memory made the analysis forget: figures that build on them are less sure.
  Count forgotten;

  /// Data that a timer or a probe retransmitted without need: neither a loss nor reordering.
  [[nodiscard]] std::uint64_t needlessByTimer() const {
    const auto isOne = [](const Retransmission& one) {
      return one.isSpurious && one.isByTimer() && one.payloadBytes > 0;
    };
    return static_cast<std::uint64_t>(std::count_if(retransmissions.begin(), retransmissions.end(), isOne));
  }
  /// Stream bytes, seen or acknowledged without having been seen.
  [[nodiscard]] Bytes streamBytes() const { return sent.unique + acknowledgedUnseen; }
  /// A tenth of the stream or more is missing from the capture, by a filter, by drops or by what was not recorded:
  /// counts are those of a part then, and delays and gaps show nothing about the path.
  [[nodiscard]] bool isPartial() const {
    constexpr std::uint64_t kPartsOfStream = 10;
    return acknowledgedUnseen > Bytes(1) && acknowledgedUnseen.value() >= streamBytes().value() / kPartsOfStream;
  }
  /// Does the capture hold what this end sent? Not without any packet of it, and not where its data was acknowledged
  /// and none was seen; a FIN that was missed is no data.
  [[nodiscard]] bool isCaptured() const {
    return sent.packets > Count(0) && (sent.dataPackets > Count(0) || acknowledgedUnseen <= Bytes(1));
  }
};

/// Where the capture was taken, seen from the end that sent most of the data.
enum class Vantage : std::uint8_t { sender, receiver, middle, unknown };

/// As in the JSON documents.
std::string_view name(Vantage vantage);

struct ConnectionSummary {
  Endpoint initiator;
  Endpoint responder;
  WallTime firstTime;
  WallTime lastTime;
  /// Both SYNs were seen.
  bool handshakeSeen = false;
  /// Who opened it is known from a SYN, not guessed from the ports.
  bool initiatorIsSure = false;
  Vantage vantage = Vantage::unknown;
  /// The whole RTT of the handshake: SYN to SYN-ACK to ACK.
  std::optional<Nanoseconds> handshakeRtt;
  /// From the first SYN to the end of the handshake, retransmissions of SYN and SYN-ACK included; nothing where the
  /// capture does not begin with the SYN.
  std::optional<Nanoseconds> connectTime;
  /// From the first SYN to the first data of the responder, whatever protocol begins with it.
  std::optional<Nanoseconds> firstByteTime;
  /// Packets that came with an earlier time than the one before.
  Count timeSteps;
  /// Initiator's first.
  std::array<DirectionSummary, 2> directions;

  /// Was a SYN or SYN-ACK retransmitted?
  [[nodiscard]] bool repeatsSyn() const {
    return directions[0].sent.syns > Count(1) || directions[1].sent.syns > Count(1);
  }
};

}  // namespace tcpscope
