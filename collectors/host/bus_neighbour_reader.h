// Reads who sits behind the same PCI bridge as an adapter, from its device's folder in /sys
// (Documentation/PCI/sysfs-pci.rst).
#pragma once

#include <filesystem>
#include <vector>

#include "core/host/link_reading.h"

namespace tcpscope {

/// `device` is /sys/class/net/NAME/device. Bridges are left out. Empty at the root, where each device has a link of its
/// own; not reported where it is no PCI device.
Reported<std::vector<BusNeighbour>> readBusNeighbours(const std::filesystem::path& device);

}  // namespace tcpscope
