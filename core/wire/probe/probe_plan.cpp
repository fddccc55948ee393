#include "core/wire/probe/probe_plan.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

namespace {

Nanoseconds intervalAt(BitsPerSecond rate) {
  const auto bits = static_cast<double>(kProbePacketSizes.back().value() * 8);
  return Nanoseconds(std::llround(bits / rate.value() * 1e9));
}

}  // namespace

BitsPerSecond ProbeRunPlan::rate() const {
  return BitsPerSecond(static_cast<double>(packetSize.value() * 8) / toSeconds(interval));
}

bool ProbeRunPlan::isWithinLimits() const {
  const bool isKnownSize =
      std::find(kProbePacketSizes.begin(), kProbePacketSizes.end(), packetSize) != kProbePacketSizes.end();
  if (!isKnownSize || packets == 0) return false;
  if (interval < intervalAt(kMostProbeRate) || interval > intervalAt(kLeastProbeRate)) return false;
  // Not time(): what another program says might overflow it.
  return packets <= kMostProbeTime / 2 / interval + 1;
}

std::optional<std::array<ProbeRunPlan, 2>> probePlan(BitsPerSecond rate, Nanoseconds time) {
  if (!(rate >= kLeastProbeRate && rate <= kMostProbeRate)) return std::nullopt;
  if (time < kLeastProbeTime || time > kMostProbeTime) return std::nullopt;
  const Nanoseconds interval = intervalAt(rate);
  std::array<ProbeRunPlan, 2> runs;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    runs[run] = {kProbePacketSizes[run], static_cast<std::uint32_t>(time / 2 / interval), interval};
  }
  return runs;
}

}  // namespace tcpscope
