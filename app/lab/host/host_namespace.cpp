#include "app/lab/host/host_namespace.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

#include "app/lab/host/device_control.h"
#include "app/lab/host/link_request.h"
#include "app/lab/host/set_up_error.h"
#include "app/lab/host/sysctl_writer.h"

namespace tcpscope::lab {

namespace {

/// More than the largest windows of the scenarios hold: a host bursts whole windows, and the path takes them out.
constexpr std::uint32_t kTransmitQueuePackets = 65536;

OwnedDescriptor openOwn(const char* path) {
  return OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC));
}

/// No packet that the traffic did not cause, no memory of earlier connections, and the kernel's own values where a
/// namespace begins with those of this machine.
std::map<std::string, std::string> ownSysctls() {
  return {{"net.ipv4.tcp_no_metrics_save", "1"},
          {"net.ipv4.tcp_rmem", "4096 131072 33554432"},
          {"net.ipv4.tcp_wmem", "4096 16384 4194304"},
          {"net.ipv6.conf.default.disable_ipv6", "0"},
          {"net.ipv6.conf.default.accept_ra", "0"},
          {"net.ipv6.conf.default.autoconf", "0"},
          {"net.ipv6.conf.default.accept_dad", "0"},
          {"net.ipv6.conf.default.addr_gen_mode", "1"},
          {"net.ipv6.conf.default.router_solicitations", "0"}};
}

}  // namespace

Expected<HostNamespace, LabError> HostNamespace::make(std::size_t number, const HostSettings& settings, Device device) {
  const OwnedDescriptor pathNamespace = openOwn("/proc/self/ns/net");
  if (!pathNamespace || unshare(CLONE_NEWNET | CLONE_NEWUTS) != 0) return setUpError("a network namespace");
  HostNamespace host;
  host.m_network = openOwn("/proc/self/ns/net");
  host.m_name = openOwn("/proc/self/ns/uts");
  if (!host.m_network || !host.m_name) return setUpError("the namespace's files");
  if (sethostname(settings.name.data(), settings.name.size()) != 0) return setUpError("the host's name");
  host.m_hasIpv6 = access("/proc/sys/net/ipv6", F_OK) == 0;
  if (auto written = host.writeOwnSysctls(); !written) return tl::unexpected(written.error());
  if (auto opened = host.openDevice(number, settings.mtu, device, pathNamespace.get()); !opened) {
    return tl::unexpected(opened.error());
  }
  if (auto configured = host.configure(number, settings); !configured) return tl::unexpected(configured.error());
  return host;
}

/// Before the device is made, which takes the defaults over.
Expected<void, LabError> HostNamespace::writeOwnSysctls() const {
  for (const auto& [key, value] : ownSysctls()) {
    if (!m_hasIpv6 && key.rfind("net.ipv6", 0) == 0) continue;
    if (auto written = writeSysctl(key, value); !written) return written;
  }
  return {};
}

Expected<void, LabError> HostNamespace::openDevice(std::size_t number, Bytes mtu, Device device, int pathNamespace) {
  if (device == Device::whatThereIs) {
    if (auto tun = openTunDevice()) {
      m_device = std::move(*tun);
      return {};
    }
  }
  auto pair = openVirtualEthernet(number, mtu, m_network.get(), pathNamespace);
  if (!pair) return tl::unexpected(pair.error());
  m_device = std::move(*pair);
  return {};
}

Expected<void, LabError> HostNamespace::configure(std::size_t number, const HostSettings& settings) {
  auto control = DeviceControl::open();
  if (!control) return tl::unexpected(control.error());
  const HostAddress address = hostAddress(number);
  if (auto done = control->setUp("lo"); !done) return done;
  if (auto done = control->setMtu(kPathDevice, settings.mtu); !done) return done;
  const auto index = control->index(kPathDevice);
  if (!index) return tl::unexpected(index.error());
  if (auto done = setTransmitQueue(*index, kTransmitQueuePackets); !done) return done;
  if (auto done = control->addIpv4(kPathDevice, address.ipv4, 24); !done) return done;
  if (auto done = control->setUp(kPathDevice); !done) return done;
  if (m_hasIpv6) {
    if (auto done = addIpv6(*index, address.ipv6, 64); !done) return done;
  }
  if (settings.congestionWindowClamp || settings.initialCongestionWindow) {
    const RouteMetrics metrics{settings.congestionWindowClamp, settings.initialCongestionWindow};
    if (auto done = setRouteMetrics(*index, address.ipv4, 24, metrics); !done) return done;
    if (m_hasIpv6) {
      if (auto done = setRouteMetrics(*index, address.ipv6, 64, metrics); !done) return done;
    }
  }
  return writeSysctls(settings.sysctls);
}

Expected<void, LabError> HostNamespace::enter() const {
  if (setns(m_network.get(), CLONE_NEWNET) != 0 || setns(m_name.get(), CLONE_NEWUTS) != 0) {
    return setUpError("a network namespace");
  }
  return {};
}

}  // namespace tcpscope::lab
