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
  enum class Device : std::uint8_t {
    /// A TUN device where the machine has one for us, else virtual Ethernet.
    whatThereIs,
    virtualEthernet
  };

  /// Host number n has the addresses of hostAddress(n). The caller comes from the path's network namespace and is
  /// inside of the host's afterwards.
  static Expected<HostNamespace, LabError> make(std::size_t number, const HostSettings& settings,
                                                Device device = Device::whatThereIs);

  /// Moves the calling process, of one thread, inside.
  Expected<void, LabError> enter() const;
  /// The path's end of the device; stays this object's.
  [[nodiscard]] const PathPort& port() const { return m_device.port; }
  [[nodiscard]] bool hasIpv6() const { return m_hasIpv6; }

private:
  HostNamespace() = default;
  Expected<void, LabError> writeOwnSysctls() const;
  Expected<void, LabError> openDevice(std::size_t number, Bytes mtu, Device device, int pathNamespace);
  Expected<void, LabError> configure(std::size_t number, const HostSettings& settings);

  OwnedDescriptor m_network;
  OwnedDescriptor m_name;
  PathDevice m_device;
  bool m_hasIpv6 = true;
};

}  // namespace tcpscope::lab
