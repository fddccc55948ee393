#include "collectors/sock_diag/diag_decoder.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <cstring>

#include "collectors/sock_diag/netlink_message.h"

namespace tcpscope {

namespace {

// Attribute numbers that Debian 12's headers do not all have (include/uapi/linux/inet_diag.h).
constexpr std::uint16_t kAttributeInfo = 2;
constexpr std::uint16_t kAttributeCongestionControl = 4;
constexpr std::uint16_t kAttributeSocketMemory = 7;
constexpr std::uint16_t kAttributeBbrInfo = 16;
constexpr std::uint16_t kAttributeCgroupId = 21;

IpAddress addressOf(std::uint8_t family, const __be32* words) {
  if (family == AF_INET) {
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), words, bytes.size());
    return IpAddress::v4(bytes);
  }
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), words, bytes.size());
  return IpAddress::v6(bytes);
}

/// The n-th 32-bit number of an attribute; the caller has checked its length.
std::uint64_t word(std::span<const std::byte> bytes, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

/// SK_MEMINFO_* of include/uapi/linux/sock_diag.h, in their order.
std::optional<SocketMemory> socketMemory(std::span<const std::byte> bytes) {
  constexpr std::size_t kWithoutDrops = 8 * sizeof(std::uint32_t);
  if (bytes.size() < kWithoutDrops) return std::nullopt;
  SocketMemory memory;
  memory.receiveAllocated = Bytes(word(bytes, 0));
  memory.receiveBuffer = Bytes(word(bytes, 1));
  memory.sendAllocated = Bytes(word(bytes, 2));
  memory.sendBuffer = Bytes(word(bytes, 3));
  memory.forwardAllocated = Bytes(word(bytes, 4));
  memory.sendQueued = Bytes(word(bytes, 5));
  memory.optionMemory = Bytes(word(bytes, 6));
  memory.backlog = Bytes(word(bytes, 7));
  if (bytes.size() >= kWithoutDrops + sizeof(std::uint32_t)) memory.drops = Count(word(bytes, 8));
  return memory;
}

/// `struct tcp_bbr_info`: bandwidth in bytes/s, minimum RTT in µs, gains in 256ths.
std::optional<BbrInfo> bbrInfo(std::span<const std::byte> bytes) {
  if (bytes.size() < 5 * sizeof(std::uint32_t)) return std::nullopt;
  constexpr double kGainUnit = 256.0;
  BbrInfo info;
  info.bandwidth = BitsPerSecond::fromBytesPerSecond(static_cast<double>(word(bytes, 0) | word(bytes, 1) << 32));
  info.minRtt = Microseconds(word(bytes, 2));
  info.pacingGainRatio = static_cast<double>(word(bytes, 3)) / kGainUnit;
  info.congestionWindowGainRatio = static_cast<double>(word(bytes, 4)) / kGainUnit;
  return info;
}

CongestionControlName congestionControl(std::span<const std::byte> bytes) {
  std::array<char, 16> text{};
  const std::size_t size = std::min(bytes.size(), text.size() - 1);
  std::memcpy(text.data(), bytes.data(), size);
  return CongestionControlName(text.data());
}

std::optional<std::uint64_t> cgroupId(std::span<const std::byte> bytes) {
  std::uint64_t id = 0;
  if (bytes.size() < sizeof id) return std::nullopt;
  std::memcpy(&id, bytes.data(), sizeof id);
  return id;
}

/// `idiag_retrans` counts what went unanswered: retransmissions, or probes for the timers of keep-alive and window.
std::optional<SocketTimer> timerOf(const inet_diag_msg& message) {
  const auto kind = static_cast<TimerKind>(message.idiag_timer);
  if (kind < TimerKind::retransmission || kind > TimerKind::windowProbe) return std::nullopt;
  return SocketTimer{kind, Count(message.idiag_retrans), Milliseconds(message.idiag_expires)};
}

void takeFixedPart(const inet_diag_msg& message, SocketObservation& observation) {
  observation.id.cookie = message.id.idiag_cookie[0] | static_cast<std::uint64_t>(message.id.idiag_cookie[1]) << 32;
  observation.local = {addressOf(message.idiag_family, message.id.idiag_src), ntohs(message.id.idiag_sport)};
  observation.remote = {addressOf(message.idiag_family, message.id.idiag_dst), ntohs(message.id.idiag_dport)};
  observation.state = tcpStateFromKernel(message.idiag_state);
  observation.userId = message.idiag_uid;
  observation.inode = message.idiag_inode;
  observation.interfaceIndex = message.id.idiag_if;
  observation.receiveQueue = Bytes(message.idiag_rqueue);
  observation.sendQueue = Bytes(message.idiag_wqueue);
  observation.timer = timerOf(message);
}

void takeAttribute(const NetlinkAttribute& attribute, AccecnLayout layout, SocketObservation& observation) {
  switch (attribute.type) {
    case kAttributeInfo:
      observation.info = TcpInfoSample(attribute.value, layout);
      break;
    case kAttributeCongestionControl:
      observation.congestionControl = congestionControl(attribute.value);
      break;
    case kAttributeSocketMemory:
      observation.memory = socketMemory(attribute.value);
      break;
    case kAttributeBbrInfo:
      observation.bbr = bbrInfo(attribute.value);
      break;
    case kAttributeCgroupId:
      observation.cgroupId = cgroupId(attribute.value);
      break;
    default:
      if (attribute.value.size() == 1) {
        observation.byteAttributes.set(attribute.type, std::to_integer<std::uint8_t>(attribute.value.front()));
      }
      break;
  }
}

}  // namespace

Expected<void, DiagProblem> decodeDiagMessage(std::span<const std::byte> payload, const DiagContext& context,
                                              SocketObservation& observation) {
  inet_diag_msg message;
  if (payload.size() < sizeof message) return Unexpected<DiagProblem>(DiagProblem::tooShort);
  std::memcpy(&message, payload.data(), sizeof message);
  if (message.idiag_family != AF_INET && message.idiag_family != AF_INET6) {
    return Unexpected<DiagProblem>(DiagProblem::unknownFamily);
  }
  takeFixedPart(message, observation);
  observation.id.place = context.place;
  observation.takenAt = context.takenAt;
  NetlinkAttributes attributes(payload.subspan(sizeof message));
  while (const std::optional<NetlinkAttribute> attribute = attributes.next()) {
    takeAttribute(*attribute, context.accecnLayout, observation);
  }
  if (attributes.cut()) return Unexpected<DiagProblem>(DiagProblem::badAttribute);
  return {};
}

AccecnLayout accecnLayoutOf(std::string_view kernelRelease) {
  unsigned major = 0;
  unsigned minor = 0;
  const char* end = kernelRelease.data() + kernelRelease.size();
  const std::from_chars_result first = std::from_chars(kernelRelease.data(), end, major);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return AccecnLayout::unknown;
  if (std::from_chars(first.ptr + 1, end, minor).ec != std::errc()) return AccecnLayout::unknown;
  if (major >= 7) return AccecnLayout::linux70;
  // 6.19 is the last of its line: which of the two it carries is not known, so that nothing is claimed of it.
  return major == 6 && minor == 18 ? AccecnLayout::linux618 : AccecnLayout::unknown;
}

}  // namespace tcpscope
