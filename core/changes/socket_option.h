// The catalogue of socket options of a live connection: name, unit, range, and whether the kernel accepts a new value
// while the connection lives.
//
// The numbers behind the names differ between machines and stay with the system calls
// (app/changes/execute/socket_options.h).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace tcpscope {

enum class SocketOption : std::uint8_t {
  sendBuffer,
  receiveBuffer,
  bufferLock,
  windowClamp,
  congestionControl,
  maxPacingRate,
  notSentLowWater,
  noDelay,
  cork,
  quickAck,
  userTimeout,
  retransmitTimeoutMin,
  retransmitTimeoutMax,
  delayedAckMax,
  keepAlive,
  keepAliveIdle,
  keepAliveInterval,
  keepAliveProbes,
  maxSegment,
  count,
};
inline constexpr std::size_t kSocketOptions = static_cast<std::size_t>(SocketOption::count);

/// The unit of getsockopt() and setsockopt().
enum class OptionUnit : std::uint8_t {
  bytes,
  bytesPerSecond,
  microseconds,
  milliseconds,
  seconds,
  number,
  onOff,
  /// Bits of SO_BUF_LOCK.
  bufferLocks,
  /// Of a congestion control.
  name,
};

enum class Changeable : std::uint8_t {
  live,
  /// The kernel accepts a value and resets it soon after.
  notKept,
  /// Negotiated in the handshake.
  atStart,
};
std::string_view name(Changeable changeable);

inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
/// Bits of SO_BUF_LOCK (include/uapi/linux/socket.h).
inline constexpr std::uint64_t kSendBufferLock = 1;
inline constexpr std::uint64_t kReceiveBufferLock = 2;

struct SocketOptionRow {
  SocketOption id;
  /// As in the system's headers: "SO_SNDBUF".
  std::string_view name;
  OptionUnit unit;
  Changeable changeable;
  /// Range of requested values, in the kernel's unit.
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  /// The kernel's value for "unlimited"; 0 if it has none.
  std::uint64_t unlimited = 0;
};

std::span<const SocketOptionRow> socketOptions();
const SocketOptionRow& optionRow(SocketOption option);
/// SO_SNDBUF and SO_RCVBUF.
bool isBufferSize(SocketOption option);
/// Case-insensitive; null for an unknown name.
const SocketOptionRow* optionNamed(std::string_view name);

}  // namespace tcpscope
