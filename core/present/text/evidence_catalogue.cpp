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
    Title{"accept_backlog", "Longest accept queue allowed"},
    Title{"accept_queue", "Connections waiting to be accepted"},
    Title{"application_ratio", "Share of time in which the program gave nothing to send"},
    Title{"congestion_window_bytes", "Congestion window"},
    Title{"data_segs_out_segments", "Data segments sent"},
    Title{"delivered_ce_ratio", "Share of delivered segments that were marked as congested"},
    Title{"dsack_dups_segments", "Segments that arrived twice at the other end"},
    Title{"goodput_bps", "Rate"},
    Title{"idle_ratio", "Share of time in which no data moved"},
    Title{"loss_event_ratio", "Share of packets that began a loss"},
    Title{"max_pacing_rate_bps", "Limit that the program set"},
    Title{"min_rtt_us", "shortest round trip"},
    Title{"network_ratio", "Share of time in which the path set the rate"},
    Title{"not_sent_largest_bytes", "Most data waiting to be sent"},
    Title{"not_sent_mean_bytes", "Data waiting to be sent, on average"},
    Title{"not_sent_smallest_bytes", "least"},
    Title{"own_window_largest_bytes", "Largest window advertised here"},
    Title{"own_window_smallest_bytes", "smallest"},
    Title{"own_window_used_ratio", "Share of time in which the sender used the window up"},
    Title{"peer_window_largest_bytes", "Largest window that the other end advertised"},
    Title{"peer_window_shrunk_samples", "Samples in which that window had become smaller"},
    Title{"peer_window_smallest_bytes", "smallest"},
    Title{"possible_bps", "what the next limit would allow"},
    Title{"queue_delay_us", "Time spent in queues, per round trip"},
    Title{"receive_buffer_bytes", "Receive buffer"},
    Title{"receive_queue_largest_bytes", "Most data waiting to be read"},
    Title{"receive_queue_smallest_bytes", "least"},
    Title{"recovery_ratio", "Share of time spent in sending lost packets again"},
    Title{"reord_seen", "Times that packets overtook each other"},
    Title{"retransmitted_ratio", "Share of segments that had to be sent again"},
    Title{"retransmitted_segments", "Segments sent again"},
    Title{"rtt_us", "Mean round trip"},
    Title{"rwnd_limited_ratio", "Share of time held back by the receiver's window"},
    Title{"sack", "SACK (the receiver says which packets are missing)"},
    Title{"samples", "samples"},
    Title{"send_buffer_bytes", "Send buffer"},
    Title{"send_buffer_ratio", "Share of time held back by the send buffer"},
    Title{"send_queued_bytes", "Memory of data written and not yet acknowledged"},
    Title{"snd_mss_bytes", "Largest segment sent"},
    Title{"timeout_ratio", "Share of time spent in retransmission timeouts"},
    Title{"timeouts", "Retransmission timeouts"},
    Title{"timestamps", "Timestamps"},
    Title{"unread_data_ratio", "Share of time in which the program was behind with reading"},
    Title{"window_ceiling_bytes", "most that the window scale allows"},
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
