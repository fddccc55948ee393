// Settings that old tuning guides recommend and that are gone, do nothing for TCP, or do harm.
//
// Each row names its source. A setting that is not listed is not thereby recommended.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tcpscope {

enum class ObsoleteReason : std::uint8_t {
  /// tcp_tw_recycle: broke clients behind NAT, and is gone.
  recyclingGone,
  /// tcp_bic, tcp_westwood, tcp_vegas_cong_avoid: tcp_congestion_control is in their place.
  chosenElsewhere,
  /// tcp_abc: gone.
  gone,
  /// Exists and is ignored.
  ignored,
  /// tcp_adv_win_scale: replaced by a measurement of the kernel.
  measuredInstead,
  /// tcp_tw_reuse=1: about free ports, not about speed.
  reuseIsNotSpeed,
  /// Lower limits that only protect against attacks.
  protectionLowered,
  /// tcp_mem: pages, computed from the machine's memory.
  computedAtBoot,
  /// rmem_default, wmem_default: tcp_rmem, tcp_wmem decide for TCP.
  notForTcp,
  sackOff,
  duplicateSackOff,
  timestampsOff,
  windowScalingOff,
  autoTuningOff,
  /// tcp_abort_on_overflow=1
  resetsClients,
  count,
};

/// snake_case, as in the JSON documents.
std::string_view name(ObsoleteReason reason);

/// Why the key should not be set to the value. `now` is the current value; without it a lowered limit is not detected.
std::optional<ObsoleteReason> obsoleteReason(std::string_view key, std::string_view value,
                                             std::optional<std::string_view> now = std::nullopt);

}  // namespace tcpscope
