#include "core/present/json/capture_direction_json.h"

#include <cmath>

#include "core/present/json/json_values.h"
#include "core/present/text/flow_text.h"

namespace tcpscope::json {
namespace {

/// A millionth of an RTT is below any measurement.
double rounded(double value) {
  constexpr double kPerUnit = 1e6;
  return std::round(value * kPerUnit) / kPerUnit;
}

void optionsJson(JsonWriter& out, const OfferedOptions& offered) {
  out.object([&] {
    out.member("mss_bytes", offered.mss);
    out.member("sack", offered.sack);
    out.member("timestamps", offered.timestamps);
    out.member("window_scale", offered.windowScale);
    out.member("ecn", offered.ecn);
    out.member("accurate_ecn", offered.accurateEcn);
    out.member("fast_open", offered.fastOpen);
    out.member("mptcp", offered.multipath);
    if (offered.mayBeIncomplete) out.member("may_be_incomplete", true);
  });
}

void retransmission(JsonWriter& out, const Retransmission& one, WallTime start) {
  out.object([&] {
    out.member("time_s", toSeconds(one.time - start));
    out.member("sequence", onTheWire(one.begin));
    out.member("length_bytes", one.payloadBytes);
    out.member("cause", name(one.cause()));
    if (one.isSpurious && one.cause() != RetransmissionCause::spurious) out.member("spurious", true);
    if (!one.originalWasSeen) out.member("lost_before_capture", true);
  });
}

void causes(JsonWriter& out, const RetransmissionCounts& counts) {
  out.object([&] {
    for (std::size_t index = 0; index < kRetransmissionCauseCount; ++index) {
      const auto cause = static_cast<RetransmissionCause>(index);
      if (counts.of(cause) > Count(0)) out.member(name(cause), counts.of(cause));
    }
  });
}

void burstVerdictJson(JsonWriter& out, const BurstVerdict& verdict) {
  out.object([&] {
    out.member("cause", name(verdict.cause));
    out.member("candidates", [&] { names(out, verdict.candidates); });
    out.member("confidence_ratio", verdict.confidenceRatio);
    out.member("text", sentence(verdict));
  });
}

void lossMembers(JsonWriter& out, const LossSummary& summary) {
  const auto add = [&out](std::string_view key, const std::optional<double>& value) {
    if (value && !std::isnan(*value)) out.member(key, rounded(*value));
  };
  if (summary.rtt || summary.lostPackets == 0) out.member("events", summary.events.size());
  out.member("lost_packets", summary.lostPackets);
  if (summary.eventRatio) {
    add("loss_event_ratio", summary.eventRatio->ratio);
    add("loss_event_ratio_low", summary.eventRatio->interval95.low);
    add("loss_event_ratio_high", summary.eventRatio->interval95.high);
  }
  if (summary.rtt) out.member("rtt_us", microseconds(*summary.rtt));
  out.array("intervals_rtt", summary.intervalsRtt, [&out](double interval) { out.value(rounded(interval)); });
  add("within_0_01_rtt_ratio", summary.withinHundredthRtt);
  add("within_1_rtt_ratio", summary.withinRtt);
  add("poisson_within_0_01_rtt_ratio", summary.poissonWithinHundredthRtt);
  add("poisson_within_1_rtt_ratio", summary.poissonWithinRtt);
  if (summary.randomDrop) {
    add("random_drop_within_0_01_rtt_ratio", summary.randomDrop->withinHundredthRtt.expectedRatio);
    add("random_drop_within_1_rtt_ratio", summary.randomDrop->withinRtt.expectedRatio);
    add("clustered_p_value_ratio", summary.randomDrop->clusteredPValue);
    add("regular_p_value_ratio", summary.randomDrop->regularPValue);
  }
  out.member("burst_verdict", [&] { burstVerdictJson(out, summary.verdict); });
  if (!summary.intervalsRtt.empty()) out.member("note", kCaptureHoldsSendersBursts);
}

void limitsOverTime(JsonWriter& out, const LimitHistory& overTime) {
  out.array(overTime.stretches, [&](const LimitStretch& stretch) {
    out.object([&] {
      out.member("time_s", toSeconds(stretch.from - overTime.stretches.front().from));
      out.member("duration_s", toSeconds(stretch.span()));
      out.member("limit", name(stretch.limit));
      out.member("candidates", [&] { names(out, stretch.candidates); });
      if (stretch.pathWasFull) out.member("path_full", true);
      out.object("limits", [&] { limitsMembers(out, stretch.shares); });
    });
  });
}

void countMembers(JsonWriter& out, const DirectionSummary& sent) {
  const TransmissionCounts& counts = sent.sent;
  out.member("packets", counts.packets);
  out.member("data_packets", counts.dataPackets);
  out.member("data_segments", counts.segments);
  out.member("payload_bytes", counts.payload);
  out.member("unique_bytes", counts.unique);
  out.member("retransmitted_packets", counts.retransmittedPackets);
  out.member("retransmitted_bytes", counts.retransmitted);
  out.member("probe_bytes", counts.probe);
  out.member("stray_bytes", counts.stray);
  out.member("out_of_order_packets", counts.outOfOrderPackets);
  out.member("filled_hole_packets", counts.filledHolePackets);
  out.member("duplicate_acks", sent.received.duplicateAcks);
  out.member("duplicate_reports", sent.received.duplicateReports);
  out.member("window_updates", sent.received.windowUpdates);
  out.member("zero_window_events", sent.received.zeroWindowEvents);
  out.member("zero_window_probes", counts.zeroWindowProbes);
  out.member("keep_alives", counts.keepAlives);
  out.member("syns", counts.syns);
  out.member("fins", counts.fins);
  out.member("resets", counts.resets);
}

void countIfAny(JsonWriter& out, std::string_view key, Count count) {
  if (count > Count(0)) out.member(key, count);
}

/// Windows, RTTs and what the capture holds only in part.
void observedMembers(JsonWriter& out, const DirectionSummary& sent) {
  if (sent.offered) out.member("options", [&] { optionsJson(out, *sent.offered); });
  out.member("window_scale_used", sent.windowScale);
  out.member("window_min_bytes", sent.windowMin);
  out.member("window_max_bytes", sent.windowMax);
  if (sent.rtt) out.member("rtt", [&] { rttJson(out, *sent.rtt); });
  if (sent.timestampRtt) out.member("timestamp_rtt", [&] { rttJson(out, *sent.timestampRtt); });
  out.member("max_in_flight_bytes", sent.maxInFlight);
  if (sent.acknowledgedUnseen > Bytes(0)) out.member("acknowledged_unseen_bytes", sent.acknowledgedUnseen);
  if (sent.isPartial()) out.member("partial", true);
  countIfAny(out, "copied_packets", sent.copies);
  countIfAny(out, "undecided_copies", sent.undecidedCopies);
  countIfAny(out, "early_acknowledgments", sent.earlyAcknowledgments);
  countIfAny(out, "forgotten", sent.forgotten);
  out.member("throughput_bps", sent.throughput);
}

void exchangesJson(JsonWriter& out, const ExchangeSummary& exchanges, WallTime start) {
  out.object([&] {
    out.member("count", exchanges.count);
    out.member("client_s", toSeconds(exchanges.client));
    out.member("network_s", toSeconds(exchanges.network));
    out.member("server_s", toSeconds(exchanges.server));
    out.member("transfer_s", toSeconds(exchanges.requestTransfer + exchanges.responseTransfer));
    out.member("request_transfer_s", toSeconds(exchanges.requestTransfer));
    out.member("response_transfer_s", toSeconds(exchanges.responseTransfer));
    out.member("response_median_us", microseconds(exchanges.responseMedian));
    out.member("response_p95_us", microseconds(exchanges.responseP95));
    out.member("response_max_us", microseconds(exchanges.responseMax));
    out.array("slowest", exchanges.slowest, [&](const SlowExchange& one) {
      out.object([&] {
        out.member("time_s", toSeconds(one.requestAt - start));
        out.member("response_us", microseconds(one.response));
        out.member("request_packet", one.requestPacket + 1);
        out.member("response_packet", one.responsePacket + 1);
      });
    });
    if (exchanges.delayedPieces == 0) return;
    out.member("delayed_pieces", exchanges.delayedPieces);
    out.member("delayed_piece_s", toSeconds(exchanges.delayedPieceTime));
  });
}

}  // namespace

double microseconds(Nanoseconds span) {
  constexpr double kPerMicrosecond = 1e3;
  return static_cast<double>(span.count()) / kPerMicrosecond;
}

void rttJson(JsonWriter& out, const RttSummary& summary) {
  out.object([&] {
    out.member("samples", summary.samples);
    out.member("min_us", microseconds(summary.min));
    out.member("median_us", microseconds(summary.median));
    out.member("p95_us", microseconds(summary.p95));
    out.member("max_us", microseconds(summary.max));
  });
}

void captureDirection(JsonWriter& out, const ConnectionAnalysis& analysis, std::size_t direction) {
  const DirectionSummary& sent = analysis.flow.directions[direction];
  const DirectionAnalysis& judged = analysis.directions[direction];
  const WallTime start = analysis.flow.firstTime;
  out.object([&] {
    countMembers(out, sent);
    out.array("retransmissions", sent.retransmissions,
              [&](const Retransmission& one) { retransmission(out, one, start); });
    out.member("retransmissions_left_out", sent.retransmissionsLeftOut);
    out.member("retransmissions_by_cause", [&] { causes(out, sent.causes); });
    observedMembers(out, sent);
    sideMembers(out, judged.diagnosis);
    out.member("limits_over_time", [&] { limitsOverTime(out, judged.diagnosis.history); });
    if (analysis.exchanges) out.member("exchanges", [&] { exchangesJson(out, *analysis.exchanges, start); });
    out.object("loss", [&] { lossMembers(out, judged.loss); });
  });
}

}  // namespace tcpscope::json
