#include "core/diagnosis/verdict_evidence.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

using EvidenceList = std::vector<Evidence>;

double bytesOf(Bytes bytes) {
  return static_cast<double>(bytes.value());
}

void addRange(EvidenceList& list, std::string_view key, const SpanFigure& figure, std::string_view smallestKey) {
  if (!figure.empty()) list.push_back({key, *figure.largest(), figure.smallest(), smallestKey});
}

void addPath(EvidenceList& list, const SocketObservation& socket, const WindowStatistics& window) {
  const LimitShares& shares = window.sending;
  list.push_back({"network_ratio", shares.ratio(Limit::network), std::nullopt, {}});
  if (shares.ratio(Limit::recovery) > 0) {
    list.push_back({"recovery_ratio", shares.ratio(Limit::recovery), std::nullopt, {}});
  }
  if (shares.ratio(Limit::timeout) > 0) {
    list.push_back({"timeout_ratio", shares.ratio(Limit::timeout), std::nullopt, {}});
  }
  if (const auto lost = lossRatio(window)) list.push_back({"retransmitted_ratio", *lost, std::nullopt, {}});
  if (const auto trip = roundTrip(socket, window)) {
    list.push_back({"rtt_us", trip->meanUs, trip->smallestUs, "min_rtt_us"});
  }
}

/// The path did not set the rate, whatever it would have done.
void addPacing(EvidenceList& list, const SocketObservation& socket, const WindowStatistics& window) {
  const auto rate = spanRate(window.ackedBytes, window);
  const auto limit = socket.info.maxPacingRate();
  if (rate && limit) list.push_back({"goodput_bps", rate->value(), limit->value(), "max_pacing_rate_bps"});
}

}  // namespace

std::vector<Evidence> sendingEvidence(const SocketObservation& socket, const WindowStatistics& window,
                                      const Verdict& verdict) {
  EvidenceList list;
  const LimitShares& shares = window.sending;
  switch (verdict.limit) {
    case Limit::receiver:
      list.push_back({"rwnd_limited_ratio", shares.ratio(Limit::receiver), std::nullopt, {}});
      addRange(list, "peer_window_largest_bytes", window.peerWindowBytes, "peer_window_smallest_bytes");
      list.push_back({"peer_window_shrunk_samples", static_cast<double>(window.samplesWithPeerWindowShrunk),
                      static_cast<double>(window.samples), "samples"});
      break;
    case Limit::sendBuffer:
      list.push_back({"send_buffer_ratio", shares.ratio(Limit::sendBuffer), std::nullopt, {}});
      if (socket.memory) {
        list.push_back({"send_queued_bytes", bytesOf(socket.memory->sendQueued), bytesOf(socket.memory->sendBuffer),
                        "send_buffer_bytes"});
      }
      break;
    case Limit::network:
    case Limit::recovery:
    case Limit::timeout:
      if (verdict.cause == Cause::pacing) {
        addPacing(list, socket, window);
      } else {
        addPath(list, socket, window);
      }
      break;
    case Limit::application:
      list.push_back({"application_ratio", window.writerBehindRatio(), std::nullopt, {}});
      addRange(list, "not_sent_largest_bytes", window.notSentBytes, "not_sent_smallest_bytes");
      break;
    case Limit::idle:
      list.push_back({"idle_ratio", shares.ratio(Limit::idle) + shares.ratio(Limit::application), std::nullopt, {}});
      break;
    case Limit::unknown:
      break;
  }
  return list;
}

std::vector<Evidence> receivingEvidence(const SocketObservation& socket, const WindowStatistics& window,
                                        const Verdict& verdict) {
  EvidenceList list;
  const LimitShares& shares = window.receiving;
  if (verdict.limit == Limit::idle) {
    list.push_back({"idle_ratio", shares.ratio(Limit::idle), std::nullopt, {}});
  } else if (verdict.limit == Limit::application) {
    list.push_back({"unread_data_ratio", window.readerBehindRatio(), std::nullopt, {}});
    addRange(list, "receive_queue_largest_bytes", window.receiveQueueBytes, "receive_queue_smallest_bytes");
  } else if (verdict.limit == Limit::receiver) {
    list.push_back({"own_window_used_ratio", shares.ratio(Limit::receiver), std::nullopt, {}});
    addRange(list, "own_window_largest_bytes", window.advertisedWindowBytes, "own_window_smallest_bytes");
    if (socket.memory) {
      list.push_back({"receive_buffer_bytes", bytesOf(socket.memory->receiveBuffer), std::nullopt, {}});
    }
  }
  return list;
}

}  // namespace tcpscope
