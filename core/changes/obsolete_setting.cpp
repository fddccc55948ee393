#include "core/changes/obsolete_setting.h"

#include <algorithm>
#include <array>

#include "core/host/sysctl_values.h"

namespace tcpscope {

namespace {

/// Which values of a key the row is about.
enum class AppliesTo : std::uint8_t { any, off, on, lowered };

struct Row {
  std::string_view key;
  AppliesTo applies;
  ObsoleteReason reason;
};

// Sources: [ip] is Documentation/networking/ip-sysctl.rst of Linux 6.18, "TCP variables", under the key's name; [tcp7]
// is tcp(7) of man-pages 6.03, "/proc interfaces", under the key's name.
constexpr std::array<Row, 20> kRows = {{
    // [tcp7] Linux 2.4 to 4.11; not recommended, as an address may stand for several hosts (NAT).
    {"net.ipv4.tcp_tw_recycle", AppliesTo::any, ObsoleteReason::recyclingGone},
    // [tcp7] each to Linux 2.6.13.
    {"net.ipv4.tcp_bic", AppliesTo::any, ObsoleteReason::chosenElsewhere},
    {"net.ipv4.tcp_westwood", AppliesTo::any, ObsoleteReason::chosenElsewhere},
    {"net.ipv4.tcp_vegas_cong_avoid", AppliesTo::any, ObsoleteReason::chosenElsewhere},
    // [tcp7] to Linux 3.8.
    {"net.ipv4.tcp_abc", AppliesTo::any, ObsoleteReason::gone},
    // [ip] without effect; [tcp7] ignored since Linux 4.14.
    {"net.ipv4.tcp_low_latency", AppliesTo::any, ObsoleteReason::ignored},
    // [ip] without effect.
    {"net.ipv4.tcp_fack", AppliesTo::any, ObsoleteReason::ignored},
    // [ip] obsolete since Linux 6.6.
    {"net.ipv4.tcp_adv_win_scale", AppliesTo::any, ObsoleteReason::measuredInstead},
    // [ip] reuse of TIME-WAIT for new connections; not to be changed without experts' advice; 2, loopback only, is the
    // default.
    {"net.ipv4.tcp_tw_reuse", AppliesTo::on, ObsoleteReason::reuseIsNotSpeed},
    // [ip] both only against simple attacks, and not to be lowered.
    {"net.ipv4.tcp_max_tw_buckets", AppliesTo::lowered, ObsoleteReason::protectionLowered},
    {"net.ipv4.tcp_max_orphans", AppliesTo::lowered, ObsoleteReason::protectionLowered},
    // [ip] pages; the defaults come from the memory that there is at boot.
    {"net.ipv4.tcp_mem", AppliesTo::any, ObsoleteReason::computedAtBoot},
    // [ip] under tcp_rmem and tcp_wmem: their second number overrides these, which are other protocols'.
    {"net.core.rmem_default", AppliesTo::any, ObsoleteReason::notForTcp},
    {"net.core.wmem_default", AppliesTo::any, ObsoleteReason::notForTcp},
    // [ip] on by default; RFC 2018, section 1.
    {"net.ipv4.tcp_sack", AppliesTo::off, ObsoleteReason::sackOff},
    // [ip] on by default; RFC 2883, section 5.
    {"net.ipv4.tcp_dsack", AppliesTo::off, ObsoleteReason::duplicateSackOff},
    // [ip] on by default; RFC 7323, sections 4 and 5.
    {"net.ipv4.tcp_timestamps", AppliesTo::off, ObsoleteReason::timestampsOff},
    // [ip] on by default; RFC 7323, section 2.
    {"net.ipv4.tcp_window_scaling", AppliesTo::off, ObsoleteReason::windowScalingOff},
    // [ip] on by default: sizes the buffer for the path's full rate.
    {"net.ipv4.tcp_moderate_rcvbuf", AppliesTo::off, ObsoleteReason::autoTuningOff},
    // [ip] can harm the clients of a server.
    {"net.ipv4.tcp_abort_on_overflow", AppliesTo::on, ObsoleteReason::resetsClients},
}};

std::optional<std::uint64_t> numberOf(std::string_view text) {
  SysctlValues values;
  values.set("value", text);
  return values.number("value");
}

bool applies(AppliesTo which, std::string_view value, std::optional<std::string_view> now) {
  const std::optional<std::uint64_t> number = numberOf(value);
  switch (which) {
    case AppliesTo::any:
      return true;
    case AppliesTo::off:
      return number == 0U;
    case AppliesTo::on:
      return number == 1U;
    case AppliesTo::lowered:
      break;
  }
  const std::optional<std::uint64_t> before = now ? numberOf(*now) : std::nullopt;
  return number && before && *number < *before;
}

constexpr std::array<std::string_view, static_cast<std::size_t>(ObsoleteReason::count)> kNames = {
    "recycling_gone",     "chosen_elsewhere", "gone",          "ignored",  "measured_instead",   "reuse_is_not_speed",
    "protection_lowered", "computed_at_boot", "not_for_tcp",   "sack_off", "duplicate_sack_off", "timestamps_off",
    "window_scaling_off", "auto_tuning_off",  "resets_clients"};

}  // namespace

std::string_view name(ObsoleteReason reason) {
  return kNames.at(static_cast<std::size_t>(reason));
}

std::optional<ObsoleteReason> obsoleteReason(std::string_view key, std::string_view value,
                                             std::optional<std::string_view> now) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& each) { return each.key == key; });
  if (row == kRows.end() || !applies(row->applies, value, now)) return std::nullopt;
  return row->reason;
}

}  // namespace tcpscope
