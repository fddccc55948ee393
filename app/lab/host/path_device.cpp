#include "app/lab/host/path_device.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <string>

#include "app/lab/host/set_up_error.h"

namespace tcpscope::lab {

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

}  // namespace tcpscope::lab
