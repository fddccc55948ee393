#include "app/lab/host/path_device.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <string>

#include "app/lab/host/device_control.h"
#include "app/lab/host/link_request.h"
#include "app/lab/host/set_up_error.h"
#include "app/lab/host/sysctl_writer.h"

namespace tcpscope::lab {

namespace {

/// In the path's network namespace: the device up, and a socket that takes what it receives.
Expected<void, LabError> openPeer(const std::string& name, Bytes mtu, PathDevice& device) {
  auto control = DeviceControl::open();
  if (!control) return tl::unexpected(control.error());
  for (auto done : {control->switchOffOffloads(name), control->switchOffResolution(name), control->setMtu(name, mtu)}) {
    if (!done) return done;
  }
  // The path's own stack says nothing on it.
  if (auto quiet = writeSysctl("net.ipv6.conf." + name + ".disable_ipv6", "1");
      !quiet && quiet.error().errorNumber != ENOENT) {
    return quiet;
  }
  // Before the socket, which would hold an error for a device that is down.
  if (auto up = control->setUp(name); !up) return up;
  const auto index = control->index(name);
  if (!index) return tl::unexpected(index.error());
  device.port.interfaceIndex = *index;

  device.descriptor = OwnedDescriptor(socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(ETH_P_ALL)));
  device.port.descriptor = device.descriptor.get();
  sockaddr_ll own{};
  own.sll_family = AF_PACKET;
  own.sll_protocol = htons(ETH_P_ALL);
  own.sll_ifindex = *index;
  if (!device.descriptor || bind(device.descriptor.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0) {
    return setUpError("a packet socket");
  }
  return {};
}

}  // namespace

Expected<PathDevice, LabError> openTunDevice() {
  constexpr const char* kTun = "/dev/net/tun";
  PathDevice device;
  device.descriptor = OwnedDescriptor(open(kTun, O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!device.descriptor) return setUpError(kTun, LabErrorKind::noDevice);
  ifreq request{};
  std::string(kPathDevice).copy(request.ifr_name, IFNAMSIZ - 1);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (ioctl(device.descriptor.get(), TUNSETIFF, &request) != 0) return setUpError(kTun, LabErrorKind::noDevice);
  device.port.kind = PathPort::Kind::tun;
  device.port.descriptor = device.descriptor.get();
  return device;
}

Expected<PathDevice, LabError> openVirtualEthernet(std::size_t number, Bytes mtu, int ownNamespace, int pathNamespace) {
  const std::string peerName = "host" + std::to_string(number);
  if (auto made = makeVirtualEthernet(kPathDevice, peerName, pathNamespace); !made) {
    LabError error = made.error();
    error.kind = LabErrorKind::noDevice;
    return tl::unexpected(error);
  }
  PathDevice device;
  device.port.kind = PathPort::Kind::packetSocket;
  device.port.hostDevice = kPathDevice;
  device.hostCounters = OwnedDescriptor(open("/proc/self/net/dev", O_RDONLY | O_CLOEXEC));
  device.port.hostCounters = device.hostCounters.get();
  auto own = DeviceControl::open();
  if (!own) return tl::unexpected(own.error());
  const auto address = own->hardwareAddress(kPathDevice);
  if (!address) return tl::unexpected(address.error());
  device.port.hostAddress = *address;
  // No host answers ARP here, and packets must keep their size.
  for (auto done : {own->switchOffOffloads(kPathDevice), own->switchOffResolution(kPathDevice)}) {
    if (!done) return tl::unexpected(done.error());
  }

  if (setns(pathNamespace, CLONE_NEWNET) != 0) return setUpError("the path's network namespace");
  auto far = openPeer(peerName, mtu, device);
  if (setns(ownNamespace, CLONE_NEWNET) != 0) return setUpError("the host's network namespace");
  if (!far) return tl::unexpected(far.error());
  return device;
}

}  // namespace tcpscope::lab
