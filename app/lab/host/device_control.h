// Addresses, MTU, queue and flags of the network devices of the namespace in which it was opened.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/units.h"
#include "core/session/lab_error.h"

struct ifreq;

namespace tcpscope::lab {

using HardwareAddress = std::array<std::uint8_t, 6>;

class DeviceControl {
public:
  static Expected<DeviceControl, LabError> open();

  Expected<void, LabError> setUp(const std::string& device);
  /// Neighbours are not asked for their hardware addresses.
  Expected<void, LabError> switchOffResolution(const std::string& device);
  Expected<void, LabError> setMtu(const std::string& device, Bytes mtu);
  Expected<void, LabError> addIpv4(const std::string& device, const std::string& address, unsigned prefixBits);
  Expected<HardwareAddress, LabError> hardwareAddress(const std::string& device);
  Expected<int, LabError> index(const std::string& device);
  /// Checksums and segments are the kernel's own work, so that a packet is a packet.
  Expected<void, LabError> switchOffOffloads(const std::string& device);

private:
  explicit DeviceControl(OwnedDescriptor socket) : m_socket(std::move(socket)) {}
  Expected<void, LabError> call(unsigned long operation, ifreq& request, const char* what);
  Expected<void, LabError> addFlags(const std::string& device, int flags);

  OwnedDescriptor m_socket;
};

}  // namespace tcpscope::lab
