// One host of the lab: a network namespace and a host name of its own, one device towards the path, and the sysctls
// that the scenario gives it.
//
// The process that makes it must have one thread and every right in its user namespace (lab_namespaces.h). The host
// lasts as long as its descriptors or a process inside; nothing of it has a name outside.
#pragma once

#include "app/lab/host/path_device.h"
#include "app/lab/scenario/scenario.h"

namespace tcpscope::lab {

class HostNamespace {
public:
  /// Host number n has the addresses of hostAddress(n). The caller is inside afterwards.
  static Expected<HostNamespace, LabError> make(std::size_t number, const HostSettings& settings);

  /// Moves the calling process, of one thread, inside.
  Expected<void, LabError> enter() const;
  /// The path's end of the device; stays this object's.
  [[nodiscard]] const PathPort& port() const { return m_device.port; }
  [[nodiscard]] bool hasIpv6() const { return m_hasIpv6; }

private:
  HostNamespace() = default;
  Expected<void, LabError> configure(std::size_t number, const HostSettings& settings);

  OwnedDescriptor m_network;
  OwnedDescriptor m_name;
  PathDevice m_device;
  bool m_hasIpv6 = true;
};

}  // namespace tcpscope::lab
