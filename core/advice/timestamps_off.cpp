#include "core/advice/timestamps_off.h"

#include "core/advice/option_off.h"

namespace tcpscope::remedies {

std::optional<Remedy> timestampsOff(const AdviceInput& input) {
  // RFC 9293, section 3.4.2: a segment lives two minutes at most. Half of the numbers count as new.
  constexpr double kLifetimeSeconds = 120.0;
  constexpr double kHalfOfTheNumbers = 2147483648.0;
  const auto options = input.socket.info.options();
  const auto& goodput = input.diagnosis.goodput;
  if (!options || options->timestamps() || !goodput) return std::nullopt;
  const double inALifetime = goodput->value() / kBitsPerByte * kLifetimeSeconds;
  if (inALifetime <= kHalfOfTheNumbers) return std::nullopt;
  Remedy remedy = switchOptionOn(input, RemedyId::timestampsOff, "net.ipv4.tcp_timestamps");
  remedy.gain = {goodput, std::nullopt, GainReason::safety};
  remedy.evidence = {{"goodput_bps", goodput->value(), kHalfOfTheNumbers * kBitsPerByte / kLifetimeSeconds, {}}};
  return remedy;
}

}  // namespace tcpscope::remedies
