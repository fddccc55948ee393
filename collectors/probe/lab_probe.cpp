#include "collectors/probe/lab_probe.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <tuple>

#include "collectors/probe/control_probe.h"
#include "collectors/system/child_output.h"

namespace tcpscope {

namespace {

using Reason = CapabilityReason;
using Status = CapabilityStatus;

int errorOf(bool worked) {
  return worked ? 0 : errno;
}

/// Sends the message to the kernel's routing tables and returns the errno that it answers with.
int askRouting(const nlmsghdr& message) {
  const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (descriptor < 0) return errno;
  std::array<char, 4096> answer{};
  int result = 0;
  ssize_t size = send(descriptor, &message, message.nlmsg_len, 0);
  if (size >= 0) size = recv(descriptor, answer.data(), answer.size(), 0);
  if (size < 0) {
    result = errno;
  } else if (static_cast<std::size_t>(size) < NLMSG_HDRLEN + sizeof(int)) {
    result = EPROTO;
  } else {
    std::memcpy(&result, answer.data() + NLMSG_HDRLEN, sizeof result);
    result = -result;
  }
  close(descriptor);
  return result;
}

int tryVethPair() {
  alignas(nlmsghdr) std::array<char, 256> buffer{};
  nlmsghdr* message = mnl_nlmsg_put_header(buffer.data());
  message->nlmsg_type = RTM_NEWLINK;
  message->nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK;
  mnl_nlmsg_put_extra_header(message, sizeof(ifinfomsg));
  nlattr* kind = mnl_attr_nest_start(message, IFLA_LINKINFO);
  mnl_attr_put_str(message, IFLA_INFO_KIND, "veth");
  mnl_attr_nest_end(message, kind);
  return askRouting(*message);
}

int tryTunDevice() {
  const int descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return errno;
  ifreq request{};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  const int result = errorOf(ioctl(descriptor, TUNSETIFF, &request) == 0);
  close(descriptor);
  return result;
}

int tryPacketSocket() {
  const int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

/// In a child: makes system calls only, since other threads of the parent may have held any lock.
LabTrial tryInside() {
  LabTrial trial;
  trial.userNamespace = errorOf(unshare(CLONE_NEWUSER) == 0);
  // Root does without one.
  if (trial.userNamespace != 0 && geteuid() != 0) return trial;
  trial.networkNamespace = errorOf(unshare(CLONE_NEWNET) == 0);
  if (trial.networkNamespace != 0) return trial;
  trial.vethPair = tryVethPair();
  trial.tunDevice = tryTunDevice();
  trial.packetSocket = tryPacketSocket();
  return trial;
}

Reason reasonOf(int error) {
  switch (error) {
    case EPERM:
    case EACCES:
      return Reason::notPermitted;
    case ENOSPC:
    case EUSERS:
      return Reason::limitReached;
    // What each of the calls says when the kernel lacks its part.
    case EINVAL:
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ENOSYS:
    case EOPNOTSUPP:
    case EAFNOSUPPORT:
      return Reason::notSupported;
    default:
      return Reason::failed;
  }
}

CapabilityState stateOf(Capability capability, int error) {
  if (error == 0) return {capability, Status::works, Reason::none, std::nullopt};
  if (error == LabTrial::kNotTried) return {capability, Status::notTried, Reason::needsAnother, std::nullopt};
  return {capability, Status::missing, reasonOf(error), std::nullopt};
}

/// A sysctl that is a number other than zero; false where there is none.
bool isOn(const std::filesystem::path& file, bool whenAbsent) {
  std::ifstream stream(file);
  int value = 0;
  return stream >> value ? value != 0 : whenAbsent;
}

}  // namespace

CapabilityReport labReport(const LabTrial& trial, const UserNamespaceSwitches& switches) {
  CapabilityReport report = {
      stateOf(Capability::userNamespaces, trial.userNamespace),
      stateOf(Capability::ownNetworkNamespace, trial.networkNamespace),
      stateOf(Capability::vethPairs, trial.vethPair),
      stateOf(Capability::tunDevices, trial.tunDevice),
      stateOf(Capability::packetSockets, trial.packetSocket),
  };
  for (CapabilityState& state : report) {
    const bool isNamespace =
        state.capability == Capability::userNamespaces || state.capability == Capability::ownNetworkNamespace;
    if (!isNamespace || state.reason != Reason::notPermitted) continue;
    // Where both deny it, the first hides the second.
    if (switches.restrictedByAppArmor) state.reason = Reason::restrictedByAppArmor;
    if (switches.cloneOff) state.reason = Reason::switchedOff;
    if (!switches.cloneOff && !switches.restrictedByAppArmor) state.reason = Reason::forbiddenByPolicy;
  }
  return report;
}

UserNamespaceSwitches readUserNamespaceSwitches(const std::filesystem::path& procRoot) {
  const std::filesystem::path kernel = procRoot / "sys/kernel";
  return {!isOn(kernel / "unprivileged_userns_clone", true),
          isOn(kernel / "apparmor_restrict_unprivileged_userns", false)};
}

LabTrial tryLab() {
  const auto answer = outputOfFork([](int pipe) {
    const LabTrial found = tryInside();
    std::ignore = write(pipe, &found, sizeof found);
  });
  LabTrial trial;
  if (answer && answer->text.size() == sizeof trial) std::memcpy(&trial, answer->text.data(), sizeof trial);
  return trial;
}

CapabilityReport probeLab(const std::filesystem::path& procRoot) {
  CapabilityReport report = labReport(tryLab(), readUserNamespaceSwitches(procRoot));
  report.push_back(probeCongestionControls());
  return report;
}

}  // namespace tcpscope
