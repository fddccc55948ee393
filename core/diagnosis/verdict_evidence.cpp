#include "core/diagnosis/verdict_evidence.h"

#include "core/diagnosis/evidence/exchange_shares.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/small_writes.h"

namespace tcpscope {

namespace {

using EvidenceList = std::vector<Evidence>;

double bytesOf(Bytes bytes) {
  return static_cast<double>(bytes.value());
}

void addRange(EvidenceList& list, std::string_view key, const SpanFigure& figure, std::string_view smallestKey) {
  if (!figure.empty()) list.push_back({key, *figure.largest(), figure.smallest(), smallestKey});
}

void addPath(EvidenceList& list, const ConnectionEvidence& evidence) {
  const LimitShares& shares = evidence.limits;
  if (shares.ratio(Limit::network) > 0 || shares.pathRatio() <= 0) {
    list.push_back({"network_ratio", shares.ratio(Limit::network), std::nullopt, {}});
  }
  if (shares.ratio(Limit::recovery) > 0) {
    list.push_back({"recovery_ratio", shares.ratio(Limit::recovery), std::nullopt, {}});
  }
  if (shares.ratio(Limit::timeout) > 0) {
    list.push_back({"timeout_ratio", shares.ratio(Limit::timeout), std::nullopt, {}});
  }
  for (const Evidence& figure : retransmissionFigures(evidence)) list.push_back(figure);
  if (const auto trip = rtt(evidence)) {
    list.push_back({"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"});
  }
}

/// The pacing limit set the rate, whatever the path would have carried.
void addPacing(EvidenceList& list, const ConnectionEvidence& evidence) {
  const auto rate = goodputOf(evidence);
  const auto& limit = evidence.maxPacingRate;
  if (rate && limit) list.push_back({"goodput_bps", rate->value(), limit->value(), "max_pacing_rate_bps"});
  if (!evidence.waits || evidence.waits->habits.pace.groups() == 0) return;
  const BurstPace& pace = evidence.waits->habits.pace;
  if (const auto burstRate = pace.rate()) list.push_back({"burst_rate_bps", burstRate->value(), std::nullopt, {}});
  list.push_back({"steady_burst_ratio", static_cast<double>(pace.steadyGroups()) / pace.groups(), std::nullopt, {}});
  if (evidence.pathCapacity)
    list.push_back({"path_capacity_bps", evidence.pathCapacity->rate.value(), std::nullopt, {}});
}

}  // namespace

std::vector<Evidence> sendingEvidence(const ConnectionEvidence& evidence, const Verdict& verdict) {
  EvidenceList list;
  const LimitShares& shares = evidence.limits;
  switch (verdict.limit) {
    case Limit::receiver:
      list.push_back({"rwnd_limited_ratio", shares.ratio(Limit::receiver), std::nullopt, {}});
      addRange(list, "peer_window_largest_bytes", evidence.receiveWindowBytes, "peer_window_smallest_bytes");
      if (evidence.windowShrunkSamples) {
        list.push_back({"peer_window_shrunk_samples", static_cast<double>(*evidence.windowShrunkSamples),
                        static_cast<double>(evidence.samples), "samples"});
      }
      break;
    case Limit::sendBuffer:
      list.push_back({"send_buffer_ratio", shares.ratio(Limit::sendBuffer), std::nullopt, {}});
      if (evidence.memory) {
        list.push_back({"send_queued_bytes", bytesOf(evidence.memory->sendQueued), bytesOf(evidence.memory->sendBuffer),
                        "send_buffer_bytes"});
      }
      if (evidence.waits) list.push_back({"refilled_ratio", evidence.waits->refilledRatio, std::nullopt, {}});
      break;
    case Limit::network:
    case Limit::recovery:
    case Limit::timeout:
      if (verdict.cause == Cause::pacing) {
        addPacing(list, evidence);
      } else {
        addPath(list, evidence);
      }
      break;
    case Limit::application:
      if (verdict.cause == Cause::nagle) {
        list.push_back({"small_write_wait_ratio", smallWriteWaitRatio(evidence).value_or(0.0), std::nullopt, {}});
        addRange(list, "not_sent_largest_bytes", evidence.notSentBytes, "not_sent_smallest_bytes");
        break;
      }
      if (verdict.cause == Cause::applicationWindow) {
        addRange(list, "in_flight_largest_bytes", evidence.inFlightBytes, "in_flight_smallest_bytes");
        addRange(list, "rtt_largest_us", evidence.rttUs, "rtt_smallest_us");
      }
      if (verdict.exchanges) list = figuresOf(*verdict.exchanges);
      list.push_back({"writer_behind_ratio", writerBehindRatio(evidence), std::nullopt, {}});
      if (sendBufferBlockedNothing(evidence) && shares.ratio(Limit::sendBuffer) > 0) {
        list.push_back({"buffer_not_full_ratio", shares.ratio(Limit::sendBuffer), std::nullopt, {}});
      }
      addRange(list, "not_sent_largest_bytes", evidence.notSentBytes, "not_sent_smallest_bytes");
      break;
    case Limit::idle:
      list.push_back({"idle_ratio", shares.ratio(Limit::idle), std::nullopt, {}});
      if (shares.ratio(Limit::application) > 0) {
        list.push_back({"application_ratio", shares.ratio(Limit::application), std::nullopt, {}});
      }
      break;
    case Limit::unknown:
    case Limit::opening:
    case Limit::stalled:
      break;
  }
  return list;
}

std::vector<Evidence> receivingEvidence(const ConnectionEvidence& evidence, const Verdict& verdict) {
  EvidenceList list;
  const LimitShares& shares = evidence.limits;
  if (verdict.limit == Limit::idle) {
    list.push_back({"idle_ratio", shares.ratio(Limit::idle), std::nullopt, {}});
  } else if (verdict.limit == Limit::application) {
    list.push_back({"unread_data_ratio", readerBehindRatio(evidence), std::nullopt, {}});
    addRange(list, "receive_queue_largest_bytes", evidence.unreadBytes, "receive_queue_smallest_bytes");
  } else if (verdict.limit == Limit::network && verdict.cause == Cause::ecn && evidence.ceMarkedSegments) {
    list.push_back({"ce_marked_segments", static_cast<double>(*evidence.ceMarkedSegments), std::nullopt, {}});
  } else if (verdict.limit == Limit::network && evidence.outOfOrderSamples && evidence.arrivalSamples) {
    list.push_back({"out_of_order_samples", static_cast<double>(*evidence.outOfOrderSamples),
                    static_cast<double>(*evidence.arrivalSamples), "samples"});
  } else if (verdict.limit == Limit::receiver) {
    list.push_back({"own_window_used_ratio", shares.ratio(Limit::receiver), std::nullopt, {}});
    addRange(list, "own_window_largest_bytes", evidence.receiveWindowBytes, "own_window_smallest_bytes");
    if (evidence.memory) {
      list.push_back({"receive_buffer_bytes", bytesOf(evidence.memory->receiveBuffer), std::nullopt, {}});
    }
  }
  return list;
}

}  // namespace tcpscope
