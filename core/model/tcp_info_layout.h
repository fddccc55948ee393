// Every variable of `struct tcp_info` up to Linux 6.18: where it lies, its unit, what it means.
//
// Offsets are from include/uapi/linux/tcp.h and the BTF of a 6.18 kernel. "Not reported" is an empty optional: the
// kernel sent fewer bytes, or a number that stands for "none yet". The last four bytes (AccECN) mean different things
// in 6.18 and in 7.0 at the same length, so that only the kernel's release decides: see accecnFields().
#pragma once

#include "core/base/units.h"
#include "core/model/tcp_info_field.h"
#include "core/model/tcp_state.h"

namespace tcpscope {

/// State machine of the sender's loss recovery (include/net/inet_connection_sock.h).
enum class CaState : std::uint8_t { open, disorder, congestionWindowReduced, recovery, loss, unknown };

std::string_view name(CaState state);

/// Negotiated options (TCPI_OPT_*).
struct TcpOptions {
  std::uint8_t bits = 0;
  [[nodiscard]] constexpr bool timestamps() const { return (bits & 1) != 0; }
  [[nodiscard]] constexpr bool sack() const { return (bits & 2) != 0; }
  [[nodiscard]] constexpr bool windowScale() const { return (bits & 4) != 0; }
  [[nodiscard]] constexpr bool ecn() const { return (bits & 8) != 0; }
  [[nodiscard]] constexpr bool ecnSeen() const { return (bits & 16) != 0; }
  [[nodiscard]] constexpr bool synData() const { return (bits & 32) != 0; }
  [[nodiscard]] constexpr bool microsecondTimestamps() const { return (bits & 64) != 0; }
  [[nodiscard]] constexpr bool fastOpenChild() const { return (bits & 128) != 0; }
};

/// Meaning of bytes 276 to 279.
enum class AccecnLayout : std::uint8_t { unknown, linux618, linux70 };

namespace tcp_info {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline std::optional<TcpState> toState(u8 raw) {
  return tcpStateFromKernel(raw);
}
inline std::optional<CaState> toCaState(u8 raw) {
  return raw < static_cast<u8>(CaState::unknown) ? static_cast<CaState>(raw) : CaState::unknown;
}
inline std::optional<TcpOptions> toOptions(u8 raw) {
  return TcpOptions{raw};
}
inline std::optional<Count> lowNibble(u8 raw) {
  return Count(raw & 15U);
}
inline std::optional<Count> highNibble(u8 raw) {
  return Count(static_cast<u64>(raw >> 4));
}
inline std::optional<bool> bitZero(u8 raw) {
  return (raw & 1) != 0;
}
inline std::optional<Count> bitsOneTwo(u8 raw) {
  return Count(static_cast<u64>(raw >> 1 & 3));
}
template <class Wire>
std::optional<Count> toCount(Wire raw) {
  return Count(raw);
}
inline std::optional<Segments> toSegments(u32 raw) {
  return Segments(raw);
}
inline std::optional<Segments> toSsthresh(u32 raw) {
  if (raw >= 0x7fffffffU) return std::nullopt;
  return Segments(raw);
}
template <class Wire>
std::optional<Bytes> toBytes(Wire raw) {
  return Bytes(raw);
}
/// A time that nanoseconds cannot count, near 300 years, is a damaged reading: nothing is known then.
template <class Wire>
std::optional<Microseconds> toMicroseconds(Wire raw) {
  constexpr auto kLongest = std::chrono::floor<Microseconds>(Nanoseconds::max());
  if (std::uint64_t{raw} > static_cast<std::uint64_t>(kLongest.count())) return std::nullopt;
  return Microseconds(static_cast<std::int64_t>(raw));
}
inline std::optional<Microseconds> millisecondsToMicroseconds(u32 raw) {
  return Milliseconds(raw);
}
/// 0 stands for "none measured yet".
inline std::optional<Microseconds> toMeasuredTime(u32 raw) {
  if (raw == 0) return std::nullopt;
  return Microseconds(raw);
}
inline std::optional<Microseconds> toMinRtt(u32 raw) {
  if (raw == ~u32{0}) return std::nullopt;
  return Microseconds(raw);
}
/// 0 stands for "none measured yet".
inline std::optional<BitsPerSecond> toMeasuredRate(u64 raw) {
  if (raw == 0) return std::nullopt;
  return BitsPerSecond::fromBytesPerSecond(static_cast<double>(raw));
}
inline std::optional<BitsPerSecond> toRate(u64 raw) {
  // The kernel's 32-bit "no limit" is seen in the field where sk_max_pacing_rate is an unsigned long of 32 bits.
  if (raw == ~u64{0} || raw == ~u32{0}) return BitsPerSecond::unlimited();
  return BitsPerSecond::fromBytesPerSecond(static_cast<double>(raw));
}

/// TCP state.
inline constexpr TcpInfoField<TcpState, u8, toState> kState{0};
/// State of congestion avoidance.
inline constexpr TcpInfoField<CaState, u8, toCaState> kCaState{1};
/// Consecutive retransmission timeouts not yet recovered from (icsk_retransmits); not a total.
inline constexpr TcpInfoField<Count, u8, toCount<u8>> kRetransmits{2};
/// Unanswered zero-window or keep-alive probes.
inline constexpr TcpInfoField<Count, u8, toCount<u8>> kProbes{3};
/// Exponent of the back-off of the retransmission timer.
inline constexpr TcpInfoField<Count, u8, toCount<u8>> kBackoff{4};
/// Options that were negotiated.
inline constexpr TcpInfoField<TcpOptions, u8, toOptions> kOptions{5};
/// Shift the peer gave for its window (low nibble).
inline constexpr TcpInfoField<Count, u8, lowNibble> kSndWscale{6};
/// Shift this end gave for its window (high nibble).
inline constexpr TcpInfoField<Count, u8, highNibble> kRcvWscale{6};
/// The delivery rate was measured while application-limited: it is a lower bound. Since 4.9.
inline constexpr TcpInfoField<bool, u8, bitZero> kDeliveryRateAppLimited{7};
/// Why TCP Fast Open failed at the client, 0 to 3. Since 5.5.
inline constexpr TcpInfoField<Count, u8, bitsOneTwo> kFastopenClientFail{7};
/// Retransmission timeout.
inline constexpr TcpInfoField<Microseconds, u32, toMicroseconds<u32>> kRto{8};
/// Delayed-acknowledgment timeout.
inline constexpr TcpInfoField<Microseconds, u32, toMicroseconds<u32>> kAto{12};
/// Largest segment this end sends.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kSndMss{16};
/// Estimate of the segments that arrive.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kRcvMss{20};
/// Segments in flight. On a listener: length of the accept queue.
inline constexpr TcpInfoField<Segments, u32, toSegments> kUnacked{24};
/// Segments the peer holds out of order. On a listener: the longest accept queue allowed.
inline constexpr TcpInfoField<Segments, u32, toSegments> kSacked{28};
/// Segments counted as lost now (kernel estimate).
inline constexpr TcpInfoField<Segments, u32, toSegments> kLost{32};
/// Retransmitted segments in flight now.
inline constexpr TcpInfoField<Segments, u32, toSegments> kRetrans{36};
/// Forward acknowledgment count; always 0 since about 4.15.
inline constexpr TcpInfoField<Segments, u32, toSegments> kFackets{40};
/// Age of the last data sent (kernel: ms).
inline constexpr TcpInfoField<Microseconds, u32, millisecondsToMicroseconds> kLastDataSent{44};
/// Always 0: the kernel does not keep it.
inline constexpr TcpInfoField<Microseconds, u32, millisecondsToMicroseconds> kLastAckSent{48};
/// Age of the last data received (kernel: ms).
inline constexpr TcpInfoField<Microseconds, u32, millisecondsToMicroseconds> kLastDataRecv{52};
/// Age of the last acknowledgment received (kernel: ms).
inline constexpr TcpInfoField<Microseconds, u32, millisecondsToMicroseconds> kLastAckRecv{56};
/// Path MTU in use.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kPmtu{60};
/// Ceiling of the window this end is ready to advertise now.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kRcvSsthresh{64};
/// Smoothed round-trip time (srtt_us >> 3); not known before the first sample.
inline constexpr TcpInfoField<Microseconds, u32, toMeasuredTime> kRtt{68};
/// Mean deviation of the RTT (mdev_us >> 2).
inline constexpr TcpInfoField<Microseconds, u32, toMicroseconds<u32>> kRttvar{72};
/// Slow-start threshold; without limit (0x7fffffff) comes as not known.
inline constexpr TcpInfoField<Segments, u32, toSsthresh> kSndSsthresh{76};
/// Congestion window.
inline constexpr TcpInfoField<Segments, u32, toSegments> kSndCwnd{80};
/// MSS this end advertised.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kAdvmss{84};
/// Reordering the sender tolerates.
inline constexpr TcpInfoField<Segments, u32, toSegments> kReordering{88};
/// Round-trip time seen by the receiver; not known before the first sample. Since 2.6.10.
inline constexpr TcpInfoField<Microseconds, u32, toMeasuredTime> kRcvRtt{92};
/// Bytes the application read in the last RTT: target of receive autotuning. Since 2.6.10.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kRcvSpace{96};
/// Retransmitted segments since the start. Since 2.6.11.
inline constexpr TcpInfoField<Segments, u32, toSegments> kTotalRetrans{100};
/// Pacing rate. Since 3.15.
inline constexpr TcpInfoField<BitsPerSecond, u64, toRate> kPacingRate{104};
/// Limit of the pacing rate that the program set. Since 3.15.
inline constexpr TcpInfoField<BitsPerSecond, u64, toRate> kMaxPacingRate{112};
/// Bytes the peer acknowledged. Since 4.1.
inline constexpr TcpInfoField<Bytes, u64, toBytes<u64>> kBytesAcked{120};
/// Bytes received in order. Since 4.1.
inline constexpr TcpInfoField<Bytes, u64, toBytes<u64>> kBytesReceived{128};
/// Segments sent, pure ACKs and retransmissions included. Since 4.2.
inline constexpr TcpInfoField<Segments, u32, toSegments> kSegsOut{136};
/// Segments received, pure ACKs included. Since 4.2.
inline constexpr TcpInfoField<Segments, u32, toSegments> kSegsIn{140};
/// Bytes written by the program and not yet sent. Since 4.6.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kNotsentBytes{144};
/// Smallest round-trip time in the kernel's window; not known before the first sample. Since 4.6.
inline constexpr TcpInfoField<Microseconds, u32, toMinRtt> kMinRtt{148};
/// Data segments received. Since 4.6.
inline constexpr TcpInfoField<Segments, u32, toSegments> kDataSegsIn{152};
/// Data segments sent, retransmissions included. Since 4.6.
inline constexpr TcpInfoField<Segments, u32, toSegments> kDataSegsOut{156};
/// Latest delivery rate sample; not known before the first. Since 4.9.
inline constexpr TcpInfoField<BitsPerSecond, u64, toMeasuredRate> kDeliveryRate{160};
/// Time with data in flight; includes the two below. Since 4.10.
inline constexpr TcpInfoField<Microseconds, u64, toMicroseconds<u64>> kBusyTime{168};
/// Time limited by the peer's receive window (rwnd). Since 4.10.
inline constexpr TcpInfoField<Microseconds, u64, toMicroseconds<u64>> kRwndLimited{176};
/// Time limited by the own send buffer (sndbuf). Since 4.10.
inline constexpr TcpInfoField<Microseconds, u64, toMicroseconds<u64>> kSndbufLimited{184};
/// Segments delivered, out of order included. Since 4.18.
inline constexpr TcpInfoField<Segments, u32, toSegments> kDelivered{192};
/// Segments delivered and acknowledged with an ECN mark. Since 4.18.
inline constexpr TcpInfoField<Segments, u32, toSegments> kDeliveredCe{196};
/// Data bytes sent, retransmissions included. Since 4.19.
inline constexpr TcpInfoField<Bytes, u64, toBytes<u64>> kBytesSent{200};
/// Data bytes retransmitted. Since 4.19.
inline constexpr TcpInfoField<Bytes, u64, toBytes<u64>> kBytesRetrans{208};
/// Duplicates the peer reported: retransmissions that were not needed. Since 4.19.
inline constexpr TcpInfoField<Segments, u32, toSegments> kDsackDups{216};
/// Reordering events seen. Since 4.19.
inline constexpr TcpInfoField<Count, u32, toCount<u32>> kReordSeen{220};
/// Segments received out of order. Since 5.4.
inline constexpr TcpInfoField<Segments, u32, toSegments> kRcvOoopack{224};
/// Window the peer advertises, scaled. Since 5.4.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kSndWnd{228};
/// Window this end advertises, scaled. Since 6.2.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kRcvWnd{232};
/// Times the flow label was changed after trouble. Since 6.2.
inline constexpr TcpInfoField<Count, u32, toCount<u32>> kRehash{236};
/// Retransmission timeouts since the start. Since 6.7.
inline constexpr TcpInfoField<Count, u16, toCount<u16>> kTotalRto{240};
/// Recoveries from timeouts. Since 6.7.
inline constexpr TcpInfoField<Count, u16, toCount<u16>> kTotalRtoRecoveries{242};
/// Time spent in timeout recovery, the running one included (kernel: ms). Since 6.7.
inline constexpr TcpInfoField<Microseconds, u32, millisecondsToMicroseconds> kTotalRtoTime{244};
/// Segments received with an ECN mark. Since 6.18.
inline constexpr TcpInfoField<Segments, u32, toSegments> kReceivedCe{248};
/// AccECN: bytes delivered with ECT(1). Since 6.18.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kDeliveredE1Bytes{252};
/// AccECN: bytes delivered with ECT(0). Since 6.18.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kDeliveredE0Bytes{256};
/// AccECN: bytes delivered with CE. Since 6.18.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kDeliveredCeBytes{260};
/// AccECN: bytes received with ECT(1). Since 6.18.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kReceivedE1Bytes{264};
/// AccECN: bytes received with ECT(0). Since 6.18.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kReceivedE0Bytes{268};
/// AccECN: bytes received with CE. Since 6.18.
inline constexpr TcpInfoField<Bytes, u32, toBytes<u32>> kReceivedCeBytes{272};
/// The four bytes whose meaning depends on the kernel's release. Since 6.18.
inline std::optional<u32> asIs(u32 raw) {
  return raw;
}
inline constexpr TcpInfoField<u32, u32, asIs> kAccecnBytes{276};

/// Bytes of the longest structure known here.
inline constexpr std::size_t kKnownSize = 280;

}  // namespace tcp_info
}  // namespace tcpscope
