// Requests about network devices that only netlink grants inside of a user namespace (rtnetlink(7)).
#pragma once

#include <optional>
#include <string>

#include "app/lab/host/device_control.h"
#include "core/base/expected.h"
#include "core/base/units.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// How many packets wait for the device, or in a TUN device for its reader. In the caller's network namespace.
Expected<void, LabError> setTransmitQueue(int deviceIndex, std::uint32_t packets);

/// At once, without asking the link whether another host has the address. In the caller's network namespace.
Expected<void, LabError> addIpv6(int deviceIndex, const std::string& address, std::uint8_t prefixBits);

/// What `ip route … cwnd N lock initcwnd N` sets; absent: left to the kernel.
struct RouteMetrics {
  std::optional<Segments> congestionWindowClamp;
  std::optional<Segments> initialCongestionWindow;
};

/// Of the route that came with the address, to all of its network. In the caller's network namespace.
Expected<void, LabError> setRouteMetrics(int deviceIndex, const std::string& address, std::uint8_t prefixBits,
                                         const RouteMetrics& metrics);

/// A pair of virtual Ethernet devices, both down: `device` in the caller's network namespace, `farDevice` in the one
/// that `farNamespace` is open on.
Expected<void, LabError> makeVirtualEthernet(const std::string& device, const std::string& farDevice, int farNamespace);

}  // namespace tcpscope::lab
