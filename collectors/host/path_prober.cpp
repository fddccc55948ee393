#include "collectors/host/path_prober.h"

#include <linux/errqueue.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "collectors/system/monotonic_clock.h"
#include "collectors/system/owned_descriptor.h"
#include "core/host/path_walk.h"

namespace tcpscope {

namespace {

/// Where traceroute's probes go by tradition: a port without a listener.
constexpr std::uint16_t kFirstPort = 33'434;
constexpr std::size_t kUdpHeader = 8;

struct KernelAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] sockaddr* pointer() { return reinterpret_cast<sockaddr*>(&storage); }
};

KernelAddress socketAddress(const IpAddress& address, std::uint16_t port) {
  KernelAddress result;
  if (address.family() == AddressFamily::ipv4) {
    sockaddr_in value{};
    value.sin_family = AF_INET;
    value.sin_port = htons(port);
    std::memcpy(&value.sin_addr, address.bytes().data(), sizeof value.sin_addr);
    std::memcpy(&result.storage, &value, sizeof value);
    result.size = sizeof value;
  } else {
    sockaddr_in6 value{};
    value.sin6_family = AF_INET6;
    value.sin6_port = htons(port);
    std::memcpy(&value.sin6_addr, address.bytes().data(), sizeof value.sin6_addr);
    std::memcpy(&result.storage, &value, sizeof value);
    result.size = sizeof value;
  }
  return result;
}

std::uint16_t portOf(const sockaddr_storage& storage) {
  if (storage.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

/// The host that reported the error; nothing where it was this one.
std::optional<IpAddress> offenderOf(const sock_extended_err& error) {
  const sockaddr* offender = SO_EE_OFFENDER(&error);
  if (offender->sa_family == AF_INET) {
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in*>(offender)->sin_addr, bytes.size());
    return IpAddress::v4(bytes);
  }
  if (offender->sa_family == AF_INET6) {
    std::array<std::uint8_t, 16> bytes{};
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6*>(offender)->sin6_addr, bytes.size());
    return IpAddress::v6(bytes);
  }
  return std::nullopt;
}

std::optional<PathAnswerKind> kindOf(const sock_extended_err& error) {
  if (error.ee_errno == EMSGSIZE) return PathAnswerKind::tooLarge;
  if (error.ee_origin == SO_EE_ORIGIN_ICMP) {
    if (error.ee_type == ICMP_TIME_EXCEEDED) return PathAnswerKind::expired;
    if (error.ee_type != ICMP_DEST_UNREACH) return std::nullopt;
    return error.ee_code == ICMP_PORT_UNREACH ? PathAnswerKind::arrived : PathAnswerKind::refused;
  }
  if (error.ee_origin == SO_EE_ORIGIN_ICMP6) {
    if (error.ee_type == ICMP6_TIME_EXCEEDED) return PathAnswerKind::expired;
    if (error.ee_type != ICMP6_DST_UNREACH) return std::nullopt;
    return error.ee_code == ICMP6_DST_UNREACH_NOPORT ? PathAnswerKind::arrived : PathAnswerKind::refused;
  }
  return std::nullopt;
}

class PathProber {
public:
  explicit PathProber(const IpAddress& target)
      : m_target(target),
        m_isIpv6(target.family() == AddressFamily::ipv6),
        m_walk(target),
        m_socket(socket(m_isIpv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}

  Expected<PathReading, SystemError> run(const std::stop_token& stop) {
    if (!m_socket || !prepare()) return failed();
    while (!m_walk.isOver() && !stop.stop_requested()) {
      takeAnswers();
      if (const auto probe = m_walk.next(monotonicNow())) {
        if (!send(*probe)) return failed();
      } else if (const auto until = m_walk.waitsUntil()) {
        waitUntil(*until);
      }
    }
    return m_walk.reading();
  }

private:
  [[nodiscard]] Unexpected<SystemError> failed() const {
    return Unexpected<SystemError>(SystemError{SystemAttempt::probePath, errno, UntrustedText(m_target.toString())});
  }

  [[nodiscard]] bool setOption(int level, int option, int value) const {
    return setsockopt(m_socket.get(), level, option, &value, sizeof value) == 0;
  }

  /// Errors are queued with the address of their sender, and packets are neither fragmented nor limited to a path MTU
  /// reported earlier.
  [[nodiscard]] bool prepare() const {
    if (m_isIpv6) {
      return setOption(IPPROTO_IPV6, IPV6_RECVERR, 1) &&
             setOption(IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE) &&
             setOption(IPPROTO_IPV6, IPV6_DONTFRAG, 1);
    }
    return setOption(IPPROTO_IP, IP_RECVERR, 1) && setOption(IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
  }

  [[nodiscard]] bool setHops(std::uint8_t hops) const {
    return m_isIpv6 ? setOption(IPPROTO_IPV6, IPV6_UNICAST_HOPS, hops) : setOption(IPPROTO_IP, IP_TTL, hops);
  }

  /// A call may fail with an ICMP error for an earlier packet: once that error is consumed, the call is repeated.
  bool send(const PathProbe& probe) {
    constexpr int kTries = 4;
    if (!setHops(probe.hops)) return false;
    const std::size_t headers = (m_isIpv6 ? 40U : 20U) + kUdpHeader;
    const std::vector<std::byte> payload(probe.size.value() - headers);
    KernelAddress to = socketAddress(m_target, static_cast<std::uint16_t>(kFirstPort + probe.number));
    m_sending = probe.number;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      if (sendto(m_socket.get(), payload.data(), payload.size(), 0, to.pointer(), to.size) >= 0) return true;
      const int errorNumber = errno;
      takeAnswers();
      if (errorNumber == EMSGSIZE) return true;
      errno = errorNumber;
    }
    return false;
  }

  void waitUntil(Moment until) const {
    // In pieces, between which a stop is seen.
    constexpr Milliseconds kPiece{100};
    const auto left = std::min(std::chrono::ceil<Milliseconds>(until - monotonicNow()), kPiece);
    pollfd entry{m_socket.get(), 0, 0};
    if (left > Milliseconds(0)) poll(&entry, 1, static_cast<int>(left.count()));
  }

  void takeAnswers() {
    while (takeAnswer()) {
    }
  }

  bool takeAnswer() {
    sockaddr_storage name{};
    alignas(cmsghdr) std::array<std::byte, 512> control{};
    std::array<std::byte, 64> data{};
    iovec piece{data.data(), data.size()};
    msghdr message{};
    message.msg_name = &name;
    message.msg_namelen = sizeof name;
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(m_socket.get(), &message, MSG_ERRQUEUE) < 0) return false;
    const Moment now = monotonicNow();
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
      const bool isError = (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR) ||
                           (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR);
      if (isError) report(*reinterpret_cast<const sock_extended_err*>(CMSG_DATA(part)), portOf(name), now);
    }
    return true;
  }

  void report(const sock_extended_err& error, std::uint16_t port, Moment now) {
    const auto kind = kindOf(error);
    if (!kind) return;
    PathAnswer answer;
    answer.kind = *kind;
    const bool isOurs = error.ee_origin == SO_EE_ORIGIN_LOCAL;
    if (!isOurs) answer.from = offenderOf(error);
    if (!isOurs && !answer.from) return;
    answer.number = isOurs ? m_sending : static_cast<std::uint16_t>(port - kFirstPort);
    if (*kind == PathAnswerKind::arrived && answer.from != m_target) answer.kind = PathAnswerKind::refused;
    if (*kind == PathAnswerKind::tooLarge && error.ee_info > 0) answer.mtu = Bytes(error.ee_info);
    m_walk.accept(answer, now);
  }

  IpAddress m_target;
  bool m_isIpv6;
  PathWalk m_walk;
  OwnedDescriptor m_socket;
  /// What this host itself says is about the packet that it was given last.
  std::uint16_t m_sending = 0;
};

}  // namespace

Expected<PathReading, SystemError> probePath(const IpAddress& target, const std::stop_token& stop) {
  return PathProber(target.unmapped()).run(stop);
}

}  // namespace tcpscope
