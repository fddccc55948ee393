#include "core/present/json/capture_direction_json.h"

#include <cmath>

#include "core/present/text/flow_text.h"

namespace tcpscope::json {
namespace {

/// A millionth of an RTT is below any measurement.
double rounded(double value) {
  constexpr double kPerUnit = 1e6;
  return std::round(value * kPerUnit) / kPerUnit;
}

Json optionsJson(const OfferedOptions& offered) {
  Json object = Json::object();
  if (offered.mss) object["mss_bytes"] = offered.mss->value();
  object["sack"] = offered.sack;
  object["timestamps"] = offered.timestamps;
  if (offered.windowScale) object["window_scale"] = *offered.windowScale;
  object["ecn"] = offered.ecn;
  object["accurate_ecn"] = offered.accurateEcn;
  object["fast_open"] = offered.fastOpen;
  object["mptcp"] = offered.multipath;
  if (offered.mayBeIncomplete) object["may_be_incomplete"] = true;
  return object;
}

Json retransmissions(const DirectionSummary& sent, WallTime start) {
  Json list = Json::array();
  for (const Retransmission& one : sent.retransmissions) {
    Json entry = {{"time_s", toSeconds(one.time - start)},
                  {"sequence", onTheWire(one.begin)},
                  {"length_bytes", one.payloadBytes},
                  {"cause", name(one.cause())}};
    if (one.isSpurious && one.cause() != RetransmissionCause::spurious) entry["spurious"] = true;
    if (!one.originalWasSeen) entry["lost_before_capture"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

Json causes(const RetransmissionCounts& counts) {
  Json object = Json::object();
  for (std::size_t index = 0; index < kRetransmissionCauseCount; ++index) {
    const auto cause = static_cast<RetransmissionCause>(index);
    if (counts.of(cause) > Count(0)) object[std::string(name(cause))] = counts.of(cause).value();
  }
  return object;
}

Json burstVerdictJson(const BurstVerdict& verdict) {
  Json candidates = Json::array();
  for (const BurstCause candidate : verdict.candidates) candidates.push_back(name(candidate));
  return {{"cause", name(verdict.cause)},
          {"candidates", std::move(candidates)},
          {"confidence_ratio", verdict.confidenceRatio},
          {"text", sentence(verdict)}};
}

Json loss(const LossSummary& summary) {
  Json object = {{"events", summary.events.size()}, {"lost_packets", summary.lostPackets}};
  if (!summary.rtt && summary.lostPackets > 0) object.erase("events");
  const auto add = [&](const char* key, const std::optional<double>& value) {
    if (value && !std::isnan(*value)) object[key] = rounded(*value);
  };
  if (summary.eventRatio) {
    add("loss_event_ratio", summary.eventRatio->ratio);
    add("loss_event_ratio_low", summary.eventRatio->interval95.low);
    add("loss_event_ratio_high", summary.eventRatio->interval95.high);
  }
  if (summary.rtt) object["rtt_us"] = microseconds(*summary.rtt);
  object["intervals_rtt"] = Json::array();
  for (const double interval : summary.intervalsRtt) object["intervals_rtt"].push_back(rounded(interval));
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
  object["burst_verdict"] = burstVerdictJson(summary.verdict);
  if (!summary.intervalsRtt.empty()) object["note"] = kCaptureHoldsSendersBursts;
  return object;
}

Json limitsOverTime(const LimitHistory& overTime) {
  Json list = Json::array();
  for (const LimitStretch& stretch : overTime.stretches) {
    Json candidates = Json::array();
    for (const Limit candidate : stretch.candidates) candidates.push_back(name(candidate));
    Json entry = {{"time_s", toSeconds(stretch.from - overTime.stretches.front().from)},
                  {"duration_s", toSeconds(stretch.span())},
                  {"limit", name(stretch.limit)},
                  {"candidates", std::move(candidates)}};
    if (stretch.pathWasFull) entry["path_full"] = true;
    entry["limits"] = limits(stretch.shares);
    list.push_back(std::move(entry));
  }
  return list;
}

void addCounts(Json& object, const DirectionSummary& sent) {
  const TransmissionCounts& counts = sent.sent;
  object["packets"] = counts.packets.value();
  object["data_packets"] = counts.dataPackets.value();
  object["data_segments"] = counts.segments.value();
  object["payload_bytes"] = counts.payload.value();
  object["unique_bytes"] = counts.unique.value();
  object["retransmitted_packets"] = counts.retransmittedPackets.value();
  object["retransmitted_bytes"] = counts.retransmitted.value();
  object["probe_bytes"] = counts.probe.value();
  object["stray_bytes"] = counts.stray.value();
  object["out_of_order_packets"] = counts.outOfOrderPackets.value();
  object["filled_hole_packets"] = counts.filledHolePackets.value();
  object["duplicate_acks"] = sent.received.duplicateAcks.value();
  object["duplicate_reports"] = sent.received.duplicateReports.value();
  object["window_updates"] = sent.received.windowUpdates.value();
  object["zero_window_events"] = sent.received.zeroWindowEvents.value();
  object["zero_window_probes"] = counts.zeroWindowProbes.value();
  object["keep_alives"] = counts.keepAlives.value();
  object["syns"] = counts.syns.value();
  object["fins"] = counts.fins.value();
  object["resets"] = counts.resets.value();
}

}  // namespace

Json microseconds(Nanoseconds span) {
  constexpr double kPerMicrosecond = 1e3;
  return figure(static_cast<double>(span.count()) / kPerMicrosecond);
}

Json rttJson(const RttSummary& summary) {
  return {{"samples", summary.samples},
          {"min_us", microseconds(summary.min)},
          {"median_us", microseconds(summary.median)},
          {"p95_us", microseconds(summary.p95)},
          {"max_us", microseconds(summary.max)}};
}

Json exchangesJson(const ExchangeSummary& exchanges, WallTime start) {
  Json slowest = Json::array();
  for (const SlowExchange& one : exchanges.slowest) {
    slowest.push_back({{"time_s", toSeconds(one.requestAt - start)},
                       {"response_us", microseconds(one.response)},
                       {"request_packet", one.requestPacket + 1},
                       {"response_packet", one.responsePacket + 1}});
  }
  Json object = {{"count", exchanges.count},
                 {"client_s", toSeconds(exchanges.client)},
                 {"network_s", toSeconds(exchanges.network)},
                 {"server_s", toSeconds(exchanges.server)},
                 {"transfer_s", toSeconds(exchanges.requestTransfer + exchanges.responseTransfer)},
                 {"request_transfer_s", toSeconds(exchanges.requestTransfer)},
                 {"response_transfer_s", toSeconds(exchanges.responseTransfer)},
                 {"response_median_us", microseconds(exchanges.responseMedian)},
                 {"response_p95_us", microseconds(exchanges.responseP95)},
                 {"response_max_us", microseconds(exchanges.responseMax)},
                 {"slowest", std::move(slowest)}};
  if (exchanges.delayedPieces > 0) {
    object["delayed_pieces"] = exchanges.delayedPieces;
    object["delayed_piece_s"] = toSeconds(exchanges.delayedPieceTime);
  }
  return object;
}

Json captureDirection(const ConnectionAnalysis& analysis, std::size_t direction) {
  const DirectionSummary& sent = analysis.flow.directions[direction];
  const DirectionAnalysis& judged = analysis.directions[direction];
  Json object = Json::object();
  addCounts(object, sent);
  object["retransmissions"] = retransmissions(sent, analysis.flow.firstTime);
  object["retransmissions_left_out"] = sent.retransmissionsLeftOut.value();
  object["retransmissions_by_cause"] = causes(sent.causes);
  if (sent.offered) object["options"] = optionsJson(*sent.offered);
  if (sent.windowScale) object["window_scale_used"] = *sent.windowScale;
  if (sent.windowMin) object["window_min_bytes"] = sent.windowMin->value();
  if (sent.windowMax) object["window_max_bytes"] = sent.windowMax->value();
  if (sent.rtt) object["rtt"] = rttJson(*sent.rtt);
  if (sent.timestampRtt) object["timestamp_rtt"] = rttJson(*sent.timestampRtt);
  if (sent.maxInFlight) object["max_in_flight_bytes"] = sent.maxInFlight->value();
  if (sent.acknowledgedUnseen > Bytes(0)) object["acknowledged_unseen_bytes"] = sent.acknowledgedUnseen.value();
  if (sent.isPartial()) object["partial"] = true;
  if (sent.copies > Count(0)) object["copied_packets"] = sent.copies.value();
  if (sent.undecidedCopies > Count(0)) object["undecided_copies"] = sent.undecidedCopies.value();
  if (sent.earlyAcknowledgments > Count(0)) object["early_acknowledgments"] = sent.earlyAcknowledgments.value();
  if (sent.forgotten > Count(0)) object["forgotten"] = sent.forgotten.value();
  if (sent.throughput) object["throughput_bps"] = figure(sent.throughput->value());
  object.update(side(judged.diagnosis));
  object["limits_over_time"] = limitsOverTime(judged.diagnosis.history);
  if (analysis.exchanges) object["exchanges"] = exchangesJson(*analysis.exchanges, analysis.flow.firstTime);
  object["loss"] = loss(judged.loss);
  return object;
}

}  // namespace tcpscope::json
