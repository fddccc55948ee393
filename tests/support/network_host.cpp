#include "tests/support/network_host.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace tcpscope::test {

namespace {

constexpr const char* kDevice = "path0";

struct Failure {
  std::string what;
};

void check(bool worked, const char* what) {
  if (!worked) throw Failure{fmt::format("{}: {}", what, std::strerror(errno))};
}

void writeFile(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  check(file >= 0, path.c_str());
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  check(written, path.c_str());
}

void enterNewNamespace() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (user == 0) {
    check(unshare(CLONE_NEWNET) == 0, "a network namespace");
    return;
  }
  check(unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0, "a user namespace");
  writeFile("/proc/self/setgroups", "deny");
  writeFile("/proc/self/uid_map", fmt::format("0 {} 1", user));
  writeFile("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

sockaddr_in ipv4(const std::string& text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  check(inet_pton(AF_INET, text.c_str(), &address.sin_addr) == 1, "an IPv4 address");
  return address;
}

int openTun(const HostSettings& settings) {
  const int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  check(tun >= 0, "/dev/net/tun");
  ifreq request{};
  std::strncpy(request.ifr_name, kDevice, IFNAMSIZ - 1);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  check(ioctl(tun, TUNSETIFF, &request) == 0, "a TUN device");

  const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  check(control >= 0, "a control socket");
  const auto setAddress = [&](unsigned long operation, const std::string& text) {
    const sockaddr_in address = ipv4(text);
    std::memcpy(&request.ifr_addr, &address, sizeof address);
    check(ioctl(control, operation, &request) == 0, "an address");
  };
  setAddress(SIOCSIFADDR, settings.address);
  setAddress(SIOCSIFNETMASK, "255.255.255.0");
  request.ifr_mtu = settings.mtuBytes;
  check(ioctl(control, SIOCSIFMTU, &request) == 0, "an MTU");
  // The path reads when it has a processor; until then nothing may be lost.
  request.ifr_qlen = 10'000;
  check(ioctl(control, SIOCSIFTXQLEN, &request) == 0, "a long queue");
  request.ifr_flags = IFF_UP;
  check(ioctl(control, SIOCSIFFLAGS, &request) == 0, "the interface up");
  close(control);
  return tun;
}

/// A text, with a descriptor beside it where it is not negative.
void sendToParent(int channel, int descriptor, const std::string& text) {
  iovec part{const_cast<char*>(text.data()), text.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  sendmsg(channel, &message, MSG_NOSIGNAL);
}

/// The descriptor, or -1 and the text that came instead.
int receiveFromChild(int channel, std::string& text) {
  char buffer[512] = {};
  iovec part{buffer, sizeof buffer - 1};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) <= 0) {
    text = "the namespace's process ended at once";
    return -1;
  }
  text = buffer;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

[[noreturn]] void keepNamespace(int channel, const HostSettings& settings) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    enterNewNamespace();
    // Router solicitations and the like of a network that has no IPv6.
    writeFile("/proc/sys/net/ipv6/conf/default/disable_ipv6", "1");
    const int tun = openTun(settings);
    for (const auto& [key, value] : settings.sysctls) writeFile("/proc/sys/net/ipv4/" + key, value);
    sendToParent(channel, tun, "up");
    close(tun);
  } catch (const Failure& failure) {
    sendToParent(channel, -1, failure.what);
    _exit(1);
  }
  char byte = 0;
  while (read(channel, &byte, 1) > 0) {
  }
  _exit(0);
}

bool enterNamespace(pid_t keeper, const char* kind, int type) {
  const int file = open(fmt::format("/proc/{}/ns/{}", keeper, kind).c_str(), O_RDONLY | O_CLOEXEC);
  const bool entered = file >= 0 && setns(file, type) == 0;
  if (file >= 0) close(file);
  return entered;
}

}  // namespace

void endChild(pid_t child) {
  if (child <= 0) return;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

Expected<std::unique_ptr<NetworkHost>, std::string> NetworkHost::make(const HostSettings& settings) {
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
    return tl::unexpected(std::string("a socket pair"));
  const pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    keepNamespace(channel[1], settings);
  }
  close(channel[1]);
  std::unique_ptr<NetworkHost> host(new NetworkHost);
  host->m_keeper = child;
  std::string why;
  host->m_tun = receiveFromChild(channel[0], why);
  host->m_channel = channel[0];
  if (host->m_tun < 0) return tl::unexpected(why);
  return host;
}

NetworkHost::~NetworkHost() {
  for (const pid_t program : m_programs) endChild(program);
  endChild(m_keeper);
  if (m_tun >= 0) close(m_tun);
  if (m_channel >= 0) close(m_channel);
}

pid_t NetworkHost::start(const std::function<void()>& program) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (geteuid() != 0) enterNamespace(m_keeper, "user", CLONE_NEWUSER);
    if (!enterNamespace(m_keeper, "net", CLONE_NEWNET)) _exit(2);
    program();
    _exit(0);
  }
  m_programs.push_back(child);
  return child;
}

}  // namespace tcpscope::test
