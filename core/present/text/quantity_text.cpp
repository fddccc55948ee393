#include "core/present/text/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tcpscope {

namespace {

/// Three digits that mean something: 1.23, 12.3, 123.
std::string threeDigits(double value) {
  const double size = std::fabs(value);
  if (size < 9.995) return fmt::format("{:.2f}", value);
  if (size < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

/// Steps up through `units`, each `step` times the one before, while the value would print as a whole step or more.
template <std::size_t count>
std::string scaled(double value, double step, const std::array<std::string_view, count>& units) {
  std::size_t index = 0;
  double shown = value;
  while (index + 1 < count && std::fabs(shown) >= step - 0.5) {
    shown /= step;
    ++index;
  }
  if (index == 0) return fmt::format("{:.0f} {}", shown, units[0]);
  return fmt::format("{} {}", threeDigits(shown), units[index]);
}

constexpr std::string_view kNotKnown = "not known";

/// Of a value that is rounded to two digits: 1.2, 12, 120.
std::string twoDigits(double value) {
  return std::fabs(value) < 9.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

/// In the unit that fits; `digits` writes the number in front of it.
std::string timeText(double seconds, std::string (*digits)(double)) {
  if (!std::isfinite(seconds)) return std::string(kNotKnown);
  const double size = std::fabs(seconds);
  if (size < 0.5e-9) return "0 s";
  if (size < 0.9995e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (size < 0.9995e-3) return fmt::format("{} µs", digits(seconds * 1e6));
  if (size < 0.9995) return fmt::format("{} ms", digits(seconds * 1e3));
  if (size < 59.995) return fmt::format("{} s", digits(seconds));
  const auto whole = static_cast<long long>(std::llround(size));
  const std::string_view sign = seconds < 0.0 ? "-" : "";
  if (whole < 3600) return fmt::format("{}{} min {} s", sign, whole / 60, whole % 60);
  return fmt::format("{}{} h {} min", sign, whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string formatRate(BitsPerSecond rate) {
  if (rate.isUnlimited()) return "unlimited";
  if (!std::isfinite(rate.value())) return std::string(kNotKnown);
  static constexpr std::array<std::string_view, 5> kUnits = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
  return scaled(rate.value(), 1000.0, kUnits);
}

std::string formatBytes(double bytes) {
  if (!std::isfinite(bytes)) return std::string(kNotKnown);
  static constexpr std::array<std::string_view, 6> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  return scaled(bytes, 1024.0, kUnits);
}

std::string formatTime(double seconds) {
  return timeText(seconds, threeDigits);
}

std::string formatQuantileTime(double seconds, double least, double most) {
  // Counted in whole seconds, as minutes are anyway.
  if (!std::isfinite(seconds) || std::fabs(seconds) >= 59.5 || seconds == 0.0) return formatTime(seconds);
  const double step = std::pow(10.0, std::floor(std::log10(std::fabs(seconds))) - 1.0);
  const double rounded = std::round(seconds / step) * step;
  return rounded < least || rounded > most ? formatTime(seconds) : timeText(rounded, twoDigits);
}

std::string formatRatio(double ratio) {
  if (!std::isfinite(ratio)) return std::string(kNotKnown);
  const double percent = ratio * 100.0;
  if (percent == 0.0) return "0 %";
  if (std::fabs(percent) < 0.095) return percent < 0.0 ? ">-0.1 %" : "<0.1 %";
  if (std::fabs(percent) >= 99.95) return fmt::format("{:.0f} %", percent);
  return fmt::format("{:.1f} %", percent);
}

std::string formatCount(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string formatWhole(double count) {
  constexpr double kMostCounted = 1e15;
  if (!std::isfinite(count)) return std::string(kNotKnown);
  if (count < 0.0 || count >= kMostCounted) return fmt::format("{:.3g}", count);
  return formatCount(static_cast<std::uint64_t>(std::llround(count)));
}

namespace {

/// Sizes of packets are known by their bytes: 1448, 1500.
bool isPacketSize(Metric metric) {
  return metric == Metric::sndMss || metric == Metric::rcvMss || metric == Metric::advmss || metric == Metric::pmtu;
}

}  // namespace

std::string formatMetric(Metric metric, double value) {
  if (std::isnan(value)) return "not known";
  const MetricUnit unit = metricRow(metric).unit;
  if (std::isinf(value)) return "unlimited";
  switch (unit) {
    case MetricUnit::bytes:
      return isPacketSize(metric) ? fmt::format("{:.0f} B", value) : formatBytes(value);
    case MetricUnit::segments:
      return fmt::format("{:.0f} {}", value, value == 1.0 ? "segment" : "segments");
    case MetricUnit::microseconds:
      return formatTime(value * 1e-6);
    case MetricUnit::bitsPerSecond:
      return formatRate(BitsPerSecond(value));
    case MetricUnit::ratio:
      return formatRatio(value);
    case MetricUnit::perSecond:
      return fmt::format("{:.3g} per second", value);
    case MetricUnit::flag:
      return value != 0.0 ? "yes" : "no";
    case MetricUnit::name:
      return std::string(metricValueName(metric, value));
    case MetricUnit::none:
      break;
  }
  return fmt::format("{:.10g}", value);
}

namespace {

struct Title {
  std::string_view key;
  std::string_view text;
};

constexpr std::array kTitles = {
    Title{"accept_backlog", "Accept queue limit (backlog)"},
    Title{"accept_queue", "Connections waiting to be accepted"},
    Title{"application_ratio", "Application-limited time"},
    Title{"application_window_bytes", "Window of the application's protocol"},
    Title{"buffer_not_full_ratio", "Of that, send buffer in use, but not kept full"},
    Title{"burst_rate_bps", "Rate from burst to burst"},
    Title{"ce_marked_segments", "Arrived with an ECN CE mark"},
    Title{"client_ratio", "Time of the client"},
    Title{"closed_by_peer", "Closed by the peer (FIN received)"},
    Title{"congestion_window_bytes", "Congestion window (cwnd)"},
    Title{"connect_s", "Time to connect"},
    Title{"consecutive_timeouts", "Consecutive RTOs"},
    Title{"cork", "TCP_CORK set"},
    Title{"data_segs_out_segments", "Data segments sent"},
    Title{"delivered_ce_ratio", "Share of delivered segments with ECN CE marks"},
    Title{"dsack_dups_segments", "Duplicate segments reported by D-SACK"},
    Title{"exchanges_per_second", "Exchanges of a request and a response a second"},
    Title{"gives_up_s", "Time until the kernel gives up"},
    Title{"goodput_bps", "Rate"},
    Title{"held_up_periods", "of all periods in which it did not keep up"},
    Title{"held_up_us", "of the time of all periods"},
    Title{"idle_before_s", "Idle before that"},
    Title{"idle_ratio", "Idle time"},
    Title{"idle_restart_rtts", "RTTs that a restart costs a burst"},
    Title{"idle_restarts", "Restarts of the congestion window after idle"},
    Title{"in_flight_largest_bytes", "Maximum data in flight"},
    Title{"in_flight_smallest_bytes", "minimum"},
    Title{"larger_window_rtts", "with an initial window of 32 segments"},
    Title{"loss_event_ratio", "Loss event ratio"},
    Title{"loss_ratio", "Loss ratio, without spurious retransmissions"},
    Title{"major_faults_per_second", "Major page faults of the program a second"},
    Title{"max_pacing_rate_bps", "Pacing limit (SO_MAX_PACING_RATE)"},
    Title{"min_rtt_us", "minimum RTT"},
    Title{"network_ratio", "Network-limited time"},
    Title{"never_left", "SYN still queued at this host"},
    Title{"next_limit_bps", "next limit"},
    Title{"next_try_s", "Time until the next try"},
    Title{"not_sent_largest_bytes", "Maximum unsent data"},
    Title{"not_sent_mean_bytes", "Mean unsent data"},
    Title{"not_sent_smallest_bytes", "minimum"},
    Title{"opening_s", "Time since the first SYN"},
    Title{"out_of_order_samples", "Samples in which data arrived out of order"},
    Title{"outstanding_bytes", "Data not acknowledged"},
    Title{"own_window_largest_bytes", "Maximum advertised receive window"},
    Title{"own_window_smallest_bytes", "minimum"},
    Title{"own_window_used_ratio", "Time with an exhausted receive window"},
    Title{"passive_end", "Passive end (SYN-ACK unanswered)"},
    Title{"path_capacity_bps", "Path capacity"},
    Title{"path_ratio", "Time on the path"},
    Title{"peer_ratio", "Time of the peer"},
    Title{"peer_window_bytes", "Receive window of the peer (rwnd)"},
    Title{"peer_window_largest_bytes", "Maximum receive window of the peer (rwnd)"},
    Title{"peer_window_shrunk_samples", "Samples in which that window shrank"},
    Title{"peer_window_smallest_bytes", "minimum"},
    Title{"periods_without_processor", "Periods in which it waited for a processor"},
    Title{"processor_wait_ratio", "Time in which a thread of the program waited for a processor"},
    Title{"processor_wait_us", "Time in these in which it waited for a processor"},
    Title{"queue_delay_us", "Queueing delay per RTT"},
    Title{"receive_buffer_bytes", "Receive buffer"},
    Title{"receive_queue_largest_bytes", "Maximum unread data"},
    Title{"receive_queue_smallest_bytes", "minimum"},
    Title{"recovery_ratio", "Time in loss recovery"},
    Title{"refilled_ratio", "Data sent in refills of the send buffer"},
    Title{"refused", "Refused by a reset (RST)"},
    Title{"reord_seen", "Reordering events"},
    Title{"restart_window_bytes", "after idle"},
    Title{"retransmitted_ratio", "Retransmission ratio"},
    Title{"retransmitted_segments", "Retransmitted segments"},
    Title{"return_queue_us", "Queueing delay of acknowledgments"},
    Title{"rtt_largest_us", "Maximum RTT"},
    Title{"rtt_smallest_us", "minimum"},
    Title{"rtt_us", "Mean RTT"},
    Title{"rwnd_limited_ratio", "Receive-window limited time"},
    Title{"sack", "SACK"},
    Title{"samples", "samples"},
    Title{"send_buffer_bytes", "Send buffer"},
    Title{"send_buffer_ratio", "Send-buffer limited time"},
    Title{"send_queued_bytes", "Memory of unacknowledged data"},
    Title{"server_ratio", "Time of the server"},
    Title{"service_port", "Lower of the two ports"},
    Title{"silent_s", "Time since the last packet of the peer"},
    Title{"slow_start_rtts", "RTTs of slow start"},
    Title{"small_write_wait_ratio", "Time in which a small write waited"},
    Title{"snd_mss_bytes", "Send MSS"},
    Title{"softirq_ratio", "Time of the busiest processor in softirq"},
    Title{"spurious_segments", "Spurious retransmissions (not needed)"},
    Title{"steady_burst_ratio", "Bursts at that rate"},
    Title{"syn_acks_sent", "SYN-ACKs"},
    Title{"syns_sent", "SYNs"},
    Title{"this_end_ratio", "Time of this end"},
    Title{"timeout_ratio", "Time in retransmission timeouts"},
    Title{"timeouts", "Retransmission timeouts"},
    Title{"timestamps", "Timestamps"},
    Title{"unacknowledged_s", "Time without an acknowledgment"},
    Title{"unanswered_keep_alives", "Unanswered keep-alive probes"},
    Title{"unanswered_syns", "SYNs that arrived and were not answered"},
    Title{"unanswered_window_probes", "Unanswered zero-window probes"},
    Title{"uncertainty_ratio", "to either side"},
    Title{"unread_data_ratio", "Time with unread data"},
    Title{"user_timeout_s", "TCP_USER_TIMEOUT"},
    Title{"window_ceiling_bytes", "maximum for the window scale"},
    Title{"window_closed_s", "Time with a closed window"},
    Title{"window_scale", "Window scale (shift)"},
    Title{"window_scaling", "Window scaling (windows above 64 KiB)"},
    Title{"writer_behind_ratio", "Time in which the application provided too little, idle included"},
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
  if (key == "user_timeout_s" && value == 0.0) return "not set";
  if (key.ends_with("_s")) return formatTime(value);
  if (key.ends_with("_ratio")) return formatRatio(value);
  constexpr std::array<std::string_view, 8> kFlags = {"cork",    "closed_by_peer", "never_left", "passive_end",
                                                      "refused", "sack",           "timestamps", "window_scaling"};
  if (std::find(kFlags.begin(), kFlags.end(), key) != kFlags.end()) return value != 0.0 ? "yes" : "no";
  if (key.ends_with("_per_second")) return threeDigits(value);
  if (key.ends_with("_rtts")) return fmt::format("{:.0f}", value);
  return fmt::format("{:.10g}", value);
}

}  // namespace tcpscope
