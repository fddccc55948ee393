#include "core/present/text/setting_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/present/text/quantity_text.h"
#include "core/present/text/tune_text.h"

namespace tcpscope {

namespace {

struct SysctlExplanation {
  std::string_view key;
  std::string_view text;
};

constexpr std::array<SysctlExplanation, 26> kExplanations = {{
    {"net.core.default_qdisc", "queueing discipline of interfaces that come up; fq paces TCP"},
    {"net.core.netdev_max_backlog", "packets that may wait for a processor on the receiving side"},
    {"net.core.rmem_max", "largest receive buffer that SO_RCVBUF may ask for"},
    {"net.core.somaxconn", "largest accept queue that listen() may ask for"},
    {"net.core.wmem_max", "largest send buffer that SO_SNDBUF may ask for"},
    {"net.ipv4.tcp_autocorking", "1: small writes wait while earlier packets of the connection are queued in the host"},
    {"net.ipv4.tcp_base_mss", "MSS with which path MTU probing begins"},
    {"net.ipv4.tcp_congestion_control", "congestion control of new connections"},
    {"net.ipv4.tcp_ecn", "ECN: 0 off, 1 requested and accepted, 2 accepted only"},
    {"net.ipv4.tcp_frto", "F-RTO, which detects spurious timeouts: 0 off"},
    {"net.ipv4.tcp_limit_output_bytes",
     "data of one connection that may wait in queues of this host (TCP small queues)"},
    {"net.ipv4.tcp_max_syn_backlog", "connections that may be half open for a listener"},
    {"net.ipv4.tcp_moderate_rcvbuf", "1: receive buffers are autotuned"},
    {"net.ipv4.tcp_mtu_probing", "path MTU probing (RFC 4821): 0 off, 1 after a black hole, 2 always"},
    {"net.ipv4.tcp_no_metrics_save", "1: new connections do not begin with what earlier ones to the peer measured"},
    {"net.ipv4.tcp_no_ssthresh_metrics_save", "1: ssthresh is not among what is remembered of a peer"},
    {"net.ipv4.tcp_notsent_lowat", "programs may write while less than this is unsent"},
    {"net.ipv4.tcp_pacing_ca_ratio", "pacing rate in congestion avoidance, in percent of cwnd per RTT"},
    {"net.ipv4.tcp_pacing_ss_ratio", "pacing rate in slow start, in percent of cwnd per RTT"},
    {"net.ipv4.tcp_recovery", "loss detection, as bits: 1 RACK, 2 static reordering window, 4 without DupThresh"},
    {"net.ipv4.tcp_rmem", "receive buffer: minimum, default, maximum of autotuning; the maximum bounds the window"},
    {"net.ipv4.tcp_sack", "1: selective acknowledgments (RFC 2018)"},
    {"net.ipv4.tcp_slow_start_after_idle", "1: cwnd starts over after an idle RTO"},
    {"net.ipv4.tcp_timestamps", "timestamps (RFC 7323): 0 off, 1 with a random offset, 2 without"},
    {"net.ipv4.tcp_window_scaling", "1: windows beyond 64 KiB (RFC 7323)"},
    {"net.ipv4.tcp_wmem",
     "send buffer: minimum, default, maximum of autotuning; the maximum bounds the data in flight"},
}};

}  // namespace

std::string_view explanationOfSysctl(std::string_view key) {
  const auto* const row = std::find_if(kExplanations.begin(), kExplanations.end(),
                                       [key](const SysctlExplanation& one) { return one.key == key; });
  return row == kExplanations.end() ? std::string_view() : row->text;
}

std::string allowedText(const SettingRange& range) {
  const auto numbers = [&range] { return fmt::format("{} to {}", formatCount(range.least), formatCount(range.most)); };
  switch (range.form) {
    case SettingForm::number:
      return range.least == 0 && range.most == 1 ? std::string("0 or 1") : numbers();
    case SettingForm::three:
      return fmt::format("three growing numbers, {}", numbers());
    case SettingForm::congestionControl:
      return "one of tcp_available_congestion_control";
    case SettingForm::queueDiscipline:
      return fmt::format("{}", fmt::join(allowedQueueDisciplines(), ", "));
  }
  return {};
}

std::string allowedText(const SocketOptionRow& row) {
  if (row.changeable != Changeable::live) return std::string(phrase(row.changeable));
  switch (row.unit) {
    case OptionUnit::onOff:
      return "on or off";
    case OptionUnit::bufferLocks:
      return "none, send, receive or both";
    case OptionUnit::name:
      return "one of tcp_available_congestion_control";
    default:
      break;
  }
  return rangeText(row);
}

}  // namespace tcpscope
