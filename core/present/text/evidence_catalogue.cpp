#include "core/present/text/evidence_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

struct Title {
  std::string_view key;
  std::string_view text;
};

constexpr std::array kTitles = {
    Title{"accept_backlog", "Accept queue limit (backlog)"},
    Title{"accept_queue", "Connections waiting to be accepted"},
    Title{"application_ratio", "Application-limited time"},
    Title{"congestion_window_bytes", "Congestion window (cwnd)"},
    Title{"data_segs_out_segments", "Data segments sent"},
    Title{"delivered_ce_ratio", "Share of delivered segments with ECN CE marks"},
    Title{"dsack_dups_segments", "Duplicate segments reported by D-SACK"},
    Title{"goodput_bps", "Rate"},
    Title{"idle_ratio", "Idle time"},
    Title{"loss_event_ratio", "Loss event ratio"},
    Title{"max_pacing_rate_bps", "Pacing limit (SO_MAX_PACING_RATE)"},
    Title{"min_rtt_us", "minimum RTT"},
    Title{"network_ratio", "Network-limited time"},
    Title{"not_sent_largest_bytes", "Maximum unsent data"},
    Title{"not_sent_mean_bytes", "Mean unsent data"},
    Title{"not_sent_smallest_bytes", "minimum"},
    Title{"own_window_largest_bytes", "Maximum own receive window"},
    Title{"own_window_smallest_bytes", "minimum"},
    Title{"own_window_used_ratio", "Time with an exhausted receive window"},
    Title{"peer_window_largest_bytes", "Maximum receive window of the peer (rwnd)"},
    Title{"peer_window_shrunk_samples", "Samples in which that window shrank"},
    Title{"peer_window_smallest_bytes", "minimum"},
    Title{"possible_bps", "next limit"},
    Title{"queue_delay_us", "Queueing delay per RTT"},
    Title{"receive_buffer_bytes", "Receive buffer"},
    Title{"receive_queue_largest_bytes", "Maximum unread data"},
    Title{"receive_queue_smallest_bytes", "minimum"},
    Title{"recovery_ratio", "Time in loss recovery"},
    Title{"reord_seen", "Reordering events"},
    Title{"retransmitted_ratio", "Retransmission ratio"},
    Title{"retransmitted_segments", "Retransmitted segments"},
    Title{"rtt_us", "Mean RTT"},
    Title{"rwnd_limited_ratio", "Receive-window limited time"},
    Title{"sack", "SACK"},
    Title{"samples", "samples"},
    Title{"send_buffer_bytes", "Send buffer"},
    Title{"send_buffer_ratio", "Send-buffer limited time"},
    Title{"send_queued_bytes", "Memory of unacknowledged data"},
    Title{"snd_mss_bytes", "Send MSS"},
    Title{"timeout_ratio", "Time in retransmission timeouts"},
    Title{"timeouts", "Retransmission timeouts"},
    Title{"timestamps", "Timestamps"},
    Title{"unread_data_ratio", "Time with unread data"},
    Title{"window_ceiling_bytes", "maximum for the window scale"},
    Title{"window_scale", "Window scale (shift)"},
    Title{"window_scaling", "Window scaling (windows above 64 KiB)"},
};

constexpr bool isSorted() {
  for (std::size_t index = 1; index < kTitles.size(); ++index) {
    if (kTitles[index - 1].key >= kTitles[index].key) return false;
  }
  return true;
}
static_assert(isSorted(), "the lookup needs the keys in order");

}  // namespace

std::string_view evidenceTitle(std::string_view key) {
  const auto before = [](const Title& title, std::string_view wanted) { return title.key < wanted; };
  const auto found = std::lower_bound(kTitles.begin(), kTitles.end(), key, before);
  if (found != kTitles.end() && found->key == key) return found->text;
  const MetricRow* metric = findMetric(key);
  return metric != nullptr ? metric->title : key;
}

std::string formatByKey(std::string_view key, double value) {
  if (key.ends_with("_bps")) return formatRate(BitsPerSecond(value));
  if (key.ends_with("_bytes")) return formatBytes(value);
  if (key.ends_with("_us")) return formatTime(value * 1e-6);
  if (key.ends_with("_s")) return formatTime(value);
  if (key.ends_with("_ratio")) return formatRatio(value);
  if (key == "sack" || key == "timestamps" || key == "window_scaling") return value != 0.0 ? "yes" : "no";
  return fmt::format("{:.10g}", value);
}

}  // namespace tcpscope
