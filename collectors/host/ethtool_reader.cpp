#include "collectors/host/ethtool_reader.h"

#include <linux/ethtool.h>

#include <array>
#include <cerrno>

namespace tcpscope {

Reported<OffloadReading> readOffloads(const UntrustedText& interface, const HostAccess& access) {
  if (!access.ethtool) return unreported();
  int refusal = 0;
  bool isAnswered = false;
  const auto ask = [&](std::uint32_t command) -> std::optional<std::uint32_t> {
    ethtool_value value{command, 0};
    const int number = access.ethtool(interface.rawBytes(), &value);
    if (number == 0) {
      isAnswered = true;
      return value.data;
    }
    refusal = number;
    return std::nullopt;
  };
  const auto isOn = [&](std::uint32_t command) -> std::optional<bool> {
    const auto data = ask(command);
    return data ? std::optional(*data != 0) : std::nullopt;
  };
  OffloadReading reading;
  reading.scatterGather = isOn(ETHTOOL_GSG);
  reading.transmitChecksum = isOn(ETHTOOL_GTXCSUM);
  reading.receiveChecksum = isOn(ETHTOOL_GRXCSUM);
  reading.tcpSegmentation = isOn(ETHTOOL_GTSO);
  reading.genericSegmentation = isOn(ETHTOOL_GGSO);
  reading.genericReceive = isOn(ETHTOOL_GGRO);
  if (const auto flags = ask(ETHTOOL_GFLAGS)) reading.largeReceive = (*flags & ETH_FLAG_LRO) != 0;
  if (!isAnswered) return unreported(reasonOf(refusal));
  return reading;
}

Reported<RingReading> readRings(const UntrustedText& interface, const HostAccess& access) {
  if (!access.ethtool) return unreported();
  ethtool_ringparam rings{};
  rings.cmd = ETHTOOL_GRINGPARAM;
  const int number = access.ethtool(interface.rawBytes(), &rings);
  if (number != 0) return unreported(reasonOf(number));
  // A driver without a ring to speak of says 0.
  if (rings.rx_max_pending == 0) return unreported();
  return RingReading{rings.rx_pending, rings.rx_max_pending};
}

Reported<CoalescingReading> readCoalescing(const UntrustedText& interface, const HostAccess& access) {
  if (!access.ethtool) return unreported();
  ethtool_coalesce coalescing{};
  coalescing.cmd = ETHTOOL_GCOALESCE;
  const int number = access.ethtool(interface.rawBytes(), &coalescing);
  if (number != 0) return unreported(reasonOf(number));
  return CoalescingReading{coalescing.use_adaptive_rx_coalesce != 0, Microseconds(coalescing.rx_coalesce_usecs)};
}

}  // namespace tcpscope
