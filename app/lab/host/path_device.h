// The device by which a host reaches the path: a TUN device, or where /dev/net/tun is closed one end of a pair of
// virtual Ethernet devices, whose other end stays in the path's network namespace.
//
// The device goes with its descriptor, or with its namespaces.
#pragma once

#include "app/lab/path/path_loop.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// What every host calls its device.
inline constexpr const char* kPathDevice = "path0";

struct PathDevice {
  PathPort port;
  /// The port's.
  OwnedDescriptor descriptor;
  /// Of virtual Ethernet: the port's, too.
  OwnedDescriptor hostCounters;
};

/// In the caller's network namespace, down, without an address. Error noDevice where TUN devices are not to be had.
Expected<PathDevice, LabError> openTunDevice();

/// As openTunDevice; the far end is in the network namespace that `pathNamespace` is open on, where `number`
/// distinguishes the far ends. The caller, privileged in both, is back in `ownNamespace` afterwards.
Expected<PathDevice, LabError> openVirtualEthernet(std::size_t number, Bytes mtu, int ownNamespace, int pathNamespace);

}  // namespace tcpscope::lab
