#include "app/changes/execute/socket_options.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/changes/tune_plan.h"

namespace tcpscope {

namespace {

// Debian 12's headers lack these; the numbers are from include/uapi/asm-generic/socket.h and include/uapi/linux/tcp.h.
constexpr int kSoBufLock = 72;
constexpr int kTcpRtoMaxMs = 44;
constexpr int kTcpRtoMinUs = 45;
constexpr int kTcpDelackMaxUs = 46;

struct KernelOption {
  int level = -1;
  int number = -1;
};

KernelOption kernelOption(SocketOption option) {
  switch (option) {
    case SocketOption::sendBuffer:
      return {SOL_SOCKET, SO_SNDBUF};
    case SocketOption::receiveBuffer:
      return {SOL_SOCKET, SO_RCVBUF};
    case SocketOption::bufferLock:
      return {SOL_SOCKET, kSoBufLock};
    case SocketOption::windowClamp:
      return {IPPROTO_TCP, TCP_WINDOW_CLAMP};
    case SocketOption::congestionControl:
      return {IPPROTO_TCP, TCP_CONGESTION};
    case SocketOption::maxPacingRate:
      return {SOL_SOCKET, SO_MAX_PACING_RATE};
    case SocketOption::notSentLowWater:
      return {IPPROTO_TCP, TCP_NOTSENT_LOWAT};
    case SocketOption::noDelay:
      return {IPPROTO_TCP, TCP_NODELAY};
    case SocketOption::cork:
      return {IPPROTO_TCP, TCP_CORK};
    case SocketOption::quickAck:
      return {IPPROTO_TCP, TCP_QUICKACK};
    case SocketOption::userTimeout:
      return {IPPROTO_TCP, TCP_USER_TIMEOUT};
    case SocketOption::retransmitTimeoutMin:
      return {IPPROTO_TCP, kTcpRtoMinUs};
    case SocketOption::retransmitTimeoutMax:
      return {IPPROTO_TCP, kTcpRtoMaxMs};
    case SocketOption::delayedAckMax:
      return {IPPROTO_TCP, kTcpDelackMaxUs};
    case SocketOption::keepAlive:
      return {SOL_SOCKET, SO_KEEPALIVE};
    case SocketOption::keepAliveIdle:
      return {IPPROTO_TCP, TCP_KEEPIDLE};
    case SocketOption::keepAliveInterval:
      return {IPPROTO_TCP, TCP_KEEPINTVL};
    case SocketOption::keepAliveProbes:
      return {IPPROTO_TCP, TCP_KEEPCNT};
    case SocketOption::maxSegment:
      return {IPPROTO_TCP, TCP_MAXSEG};
    case SocketOption::count:
      break;
  }
  return {};
}

std::optional<OptionValue> readName(int socket, KernelOption option) {
  std::array<char, 16> name{};
  socklen_t size = name.size();
  if (getsockopt(socket, option.level, option.number, name.data(), &size) != 0) return std::nullopt;
  return OptionValue{0, CongestionControlName(std::string_view(name.data(), strnlen(name.data(), size)))};
}

/// Most options are an int; pacing is a long if the buffer is large enough.
std::optional<OptionValue> readNumber(int socket, KernelOption option, OptionUnit unit) {
  std::uint64_t wide = 0;
  std::uint32_t narrow = 0;
  const bool isWide = unit == OptionUnit::bytesPerSecond;
  void* const target = isWide ? static_cast<void*>(&wide) : &narrow;
  socklen_t size = isWide ? sizeof wide : sizeof narrow;
  if (getsockopt(socket, option.level, option.number, target, &size) != 0) return std::nullopt;
  if (isWide && size == sizeof wide) return OptionValue{wide, {}};
  if (isWide) std::memcpy(&narrow, &wide, sizeof narrow);
  // A 32-bit kernel reports "unlimited" as ~0U.
  if (isWide && narrow == ~std::uint32_t{0}) return OptionValue{kUnlimited, {}};
  return OptionValue{narrow, {}};
}

int set(int socket, KernelOption option, const void* value, std::size_t size) {
  return setsockopt(socket, option.level, option.number, value, static_cast<socklen_t>(size)) == 0 ? 0 : errno;
}

/// The kernel silently caps the size at net.core.wmem_max or rmem_max, except with SO_*BUFFORCE (CAP_NET_ADMIN).
void forceBuffer(int socket, const OptionChange& change) {
  const auto now = readSocketOption(socket, change.option);
  if (!now || now->number >= valueToRead(change.option, change.value).number) return;
  const int number = change.option == SocketOption::sendBuffer ? SO_SNDBUFFORCE : SO_RCVBUFFORCE;
  const int size = static_cast<int>(change.value.number);
  setsockopt(socket, SOL_SOCKET, number, &size, sizeof size);
}

}  // namespace

std::optional<OptionValue> readSocketOption(int socket, SocketOption option) {
  const KernelOption kernel = kernelOption(option);
  const OptionUnit unit = optionRow(option).unit;
  return unit == OptionUnit::name ? readName(socket, kernel) : readNumber(socket, kernel, unit);
}

OptionValues readSocketOptions(int socket) {
  OptionValues values;
  for (const SocketOptionRow& row : socketOptions()) values[row.id] = readSocketOption(socket, row.id);
  return values;
}

int setSocketOption(int socket, const OptionChange& change) {
  const KernelOption kernel = kernelOption(change.option);
  const OptionUnit unit = optionRow(change.option).unit;
  if (unit == OptionUnit::name) {
    const std::string_view name = change.value.name.text();
    return set(socket, kernel, name.data(), name.size());
  }
  if (unit == OptionUnit::bytesPerSecond) return set(socket, kernel, &change.value.number, sizeof change.value.number);
  const auto number = static_cast<std::uint32_t>(change.value.number);
  const int error = set(socket, kernel, &number, sizeof number);
  const bool isSize = change.option == SocketOption::sendBuffer || change.option == SocketOption::receiveBuffer;
  if (error == 0 && isSize) forceBuffer(socket, change);
  return error;
}

}  // namespace tcpscope
