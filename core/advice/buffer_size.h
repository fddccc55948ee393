// How large a buffer should be, and what that brings: the arithmetic that the remedies of buffers share.
//
// Two bandwidth-delay products are a start: at least half of a buffer holds data (tcp_win_from_space before Linux has
// measured more), and one product has to be in flight. It is never divided by a number of streams, and a buffer larger
// than a path needs only lengthens queues: without a target the kernel's own default, or twice of what is set, is
// proposed, to be measured.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope {

/// A buffer that the kernel tunes: its setting of three numbers, and the largest that Linux comes with.
struct TunedBuffer {
  std::string_view key;
  std::array<std::uint64_t, 3> kernelDefault;
};
inline constexpr std::string_view kWindowScalingKey = "net.ipv4.tcp_window_scaling";
inline constexpr TunedBuffer kReceiveBuffer{"net.ipv4.tcp_rmem", {4096, 131072, 6291456}};
inline constexpr TunedBuffer kSendBuffer{"net.ipv4.tcp_wmem", {4096, 16384, 4194304}};

/// 2 * rate * RTT, rounded up to whole 64 KiB; both must be above zero.
Bytes bufferForPath(BitsPerSecond rate, double rttSeconds);

/// What the largest size should be, `largestNow` being the one in force; nothing where no larger one is called for.
std::optional<Bytes> wantedBuffer(const AdviceInput& input, const TunedBuffer& buffer,
                                  std::optional<std::uint64_t> largestNow);

/// The row that raises the third number of the setting, the others left as they are.
SettingChange raisedLimit(const SysctlValues& settings, const TunedBuffer& buffer, Bytes largest);

/// Rate now, and what holds next once the limit of the verdict is gone; no more than what the user aims at.
ExpectedGain gainWithoutLimit(const AdviceInput& input);

/// Rate now, and what a larger buffer of `size` gives; no more than what the user aims at.
ExpectedGain gainOfBuffer(const AdviceInput& input, Bytes size);

/// The same where the connection keeps its window scale: the receive window stays below what it allows per RTT.
ExpectedGain gainWithinScale(const AdviceInput& input, Bytes size);

/// The handshake is known to lack window scaling, which caps every window at 64 KiB.
bool lacksWindowScaling(const AdviceInput& input);

/// Connections of so much memory that fit below the pressure mark of tcp_mem.
std::optional<std::uint64_t> connectionsThatFit(const SysctlValues& settings, Bytes perConnection);

/// The reach of a higher limit for an autotuned receive buffer. A buffer at its limit often stays there for the life of
/// the connection: it grows only where more arrives in one RTT than ever before (tcp_rcv_space_adjust), and a window
/// that is filled to the byte never lets more arrive.
inline constexpr Reach kReachOfTunedReceiveBuffer = Reach::afterReconnect;

/// The reach of a receive buffer of a fixed size: the window scale of the connection's beginning caps it for life.
Reach reachOfWindow(std::optional<Count> windowScale, Bytes buffer);

}  // namespace tcpscope
