// One TCP_INFO record as the kernel sent it, read field by field.
//
// The bytes are kept and decoded as late as possible: a socket costs 280 bytes instead of a kilobyte of optionals, an
// unchanged record is recognised by comparing bytes, and an old recording gains every field that is learned later.
// Fields beyond the known layout are cut off; missing ones read as "not reported". A record that was pieced together
// from text has holes, too: see TcpInfoHoles.
#pragma once

#include <array>
#include <bitset>
#include <span>

#include "core/model/tcp_info_layout.h"

namespace tcpscope {

/// The AccECN variables of the last four bytes. Linux 6.18 and later.
struct AccecnFields {
  std::optional<Count> failMode;
  std::optional<Count> optionsSeen;
};

/// Fields of a record that were not reported although later ones were. The first eight bytes of `struct tcp_info` are
/// fields of their own, behind them every four bytes share a bit.
class TcpInfoHoles {
public:
  static constexpr std::size_t kBits = 8 + (tcp_info::kKnownSize - 8) / 4;
  using Bits = std::bitset<kBits>;

  TcpInfoHoles() = default;
  explicit TcpInfoHoles(const Bits& bits) : m_bits(bits) {}
  static TcpInfoHoles everywhere() { return TcpInfoHoles(Bits().set()); }

  [[nodiscard]] bool none() const { return m_bits.none(); }
  [[nodiscard]] const Bits& bits() const { return m_bits; }
  /// Is a part of the field that lies at `offset` missing?
  [[nodiscard]] bool at(std::size_t offset) const { return m_bits[bitOf(offset)]; }
  void fill(std::size_t offset, std::size_t size) {
    for (std::size_t byte = offset; byte < offset + size; ++byte) m_bits.reset(bitOf(byte));
  }
  void dig(std::size_t offset) { m_bits.set(bitOf(offset)); }

private:
  static constexpr std::size_t bitOf(std::size_t offset) { return offset < 8 ? offset : 8 + (offset - 8) / 4; }

  Bits m_bits;
};

class TcpInfoSample {
public:
  TcpInfoSample() = default;
  explicit TcpInfoSample(std::span<const std::byte> bytes, AccecnLayout layout = AccecnLayout::unknown,
                         const TcpInfoHoles& holes = {});

  [[nodiscard]] std::span<const std::byte> bytes() const { return {m_bytes.data(), m_size}; }
  [[nodiscard]] bool empty() const { return m_size == 0; }
  [[nodiscard]] AccecnLayout accecnLayout() const { return m_accecnLayout; }
  /// None in what a kernel sent.
  [[nodiscard]] const TcpInfoHoles& holes() const { return m_holes; }

  // Always inline: what a call returns as an optional is put together in memory and read back in another width, which
  // stalls the processor for longer than all the rest takes.
  [[nodiscard, gnu::always_inline]] std::optional<TcpState> state() const { return read(tcp_info::kState); }
  [[nodiscard, gnu::always_inline]] std::optional<CaState> caState() const { return read(tcp_info::kCaState); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> retransmits() const { return read(tcp_info::kRetransmits); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> probes() const { return read(tcp_info::kProbes); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> backoff() const { return read(tcp_info::kBackoff); }
  [[nodiscard, gnu::always_inline]] std::optional<TcpOptions> options() const { return read(tcp_info::kOptions); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> sndWscale() const { return read(tcp_info::kSndWscale); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> rcvWscale() const { return read(tcp_info::kRcvWscale); }
  [[nodiscard, gnu::always_inline]] std::optional<bool> deliveryRateAppLimited() const {
    return read(tcp_info::kDeliveryRateAppLimited);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Count> fastopenClientFail() const {
    // It shares its byte with the field before it, which is all that text reports of that byte.
    return m_holes.none() ? read(tcp_info::kFastopenClientFail) : std::nullopt;
  }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> rto() const { return read(tcp_info::kRto); }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> ato() const { return read(tcp_info::kAto); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> sndMss() const { return read(tcp_info::kSndMss); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> rcvMss() const { return read(tcp_info::kRcvMss); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> unacked() const { return read(tcp_info::kUnacked); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> sacked() const { return read(tcp_info::kSacked); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> lost() const { return read(tcp_info::kLost); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> retrans() const { return read(tcp_info::kRetrans); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> fackets() const { return read(tcp_info::kFackets); }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> lastDataSent() const {
    return read(tcp_info::kLastDataSent);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> lastAckSent() const {
    return read(tcp_info::kLastAckSent);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> lastDataRecv() const {
    return read(tcp_info::kLastDataRecv);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> lastAckRecv() const {
    return read(tcp_info::kLastAckRecv);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> pmtu() const { return read(tcp_info::kPmtu); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> rcvSsthresh() const { return read(tcp_info::kRcvSsthresh); }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> rtt() const { return read(tcp_info::kRtt); }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> rttvar() const { return read(tcp_info::kRttvar); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> sndSsthresh() const { return read(tcp_info::kSndSsthresh); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> sndCwnd() const { return read(tcp_info::kSndCwnd); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> advmss() const { return read(tcp_info::kAdvmss); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> reordering() const { return read(tcp_info::kReordering); }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> rcvRtt() const { return read(tcp_info::kRcvRtt); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> rcvSpace() const { return read(tcp_info::kRcvSpace); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> totalRetrans() const {
    return read(tcp_info::kTotalRetrans);
  }
  [[nodiscard, gnu::always_inline]] std::optional<BitsPerSecond> pacingRate() const {
    return read(tcp_info::kPacingRate);
  }
  [[nodiscard, gnu::always_inline]] std::optional<BitsPerSecond> maxPacingRate() const {
    return read(tcp_info::kMaxPacingRate);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> bytesAcked() const { return read(tcp_info::kBytesAcked); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> bytesReceived() const {
    return read(tcp_info::kBytesReceived);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> segsOut() const { return read(tcp_info::kSegsOut); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> segsIn() const { return read(tcp_info::kSegsIn); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> notsentBytes() const { return read(tcp_info::kNotsentBytes); }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> minRtt() const { return read(tcp_info::kMinRtt); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> dataSegsIn() const { return read(tcp_info::kDataSegsIn); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> dataSegsOut() const { return read(tcp_info::kDataSegsOut); }
  [[nodiscard, gnu::always_inline]] std::optional<BitsPerSecond> deliveryRate() const {
    return read(tcp_info::kDeliveryRate);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> busyTime() const { return read(tcp_info::kBusyTime); }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> rwndLimited() const {
    return read(tcp_info::kRwndLimited);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> sndbufLimited() const {
    return read(tcp_info::kSndbufLimited);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> delivered() const { return read(tcp_info::kDelivered); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> deliveredCe() const { return read(tcp_info::kDeliveredCe); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> bytesSent() const { return read(tcp_info::kBytesSent); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> bytesRetrans() const { return read(tcp_info::kBytesRetrans); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> dsackDups() const { return read(tcp_info::kDsackDups); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> reordSeen() const { return read(tcp_info::kReordSeen); }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> rcvOoopack() const { return read(tcp_info::kRcvOoopack); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> sndWnd() const { return read(tcp_info::kSndWnd); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> rcvWnd() const { return read(tcp_info::kRcvWnd); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> rehash() const { return read(tcp_info::kRehash); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> totalRto() const { return read(tcp_info::kTotalRto); }
  [[nodiscard, gnu::always_inline]] std::optional<Count> totalRtoRecoveries() const {
    return read(tcp_info::kTotalRtoRecoveries);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Microseconds> totalRtoTime() const {
    return read(tcp_info::kTotalRtoTime);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Segments> receivedCe() const { return read(tcp_info::kReceivedCe); }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> deliveredE1Bytes() const {
    return read(tcp_info::kDeliveredE1Bytes);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> deliveredE0Bytes() const {
    return read(tcp_info::kDeliveredE0Bytes);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> deliveredCeBytes() const {
    return read(tcp_info::kDeliveredCeBytes);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> receivedE1Bytes() const {
    return read(tcp_info::kReceivedE1Bytes);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> receivedE0Bytes() const {
    return read(tcp_info::kReceivedE0Bytes);
  }
  [[nodiscard, gnu::always_inline]] std::optional<Bytes> receivedCeBytes() const {
    return read(tcp_info::kReceivedCeBytes);
  }

  [[nodiscard]] AccecnFields accecnFields() const;

private:
  template <class Field>
  [[nodiscard, gnu::always_inline]] std::optional<typename Field::ValueType> read(const Field& field) const {
    return m_holes.at(field.offset) ? std::nullopt : field.read(bytes());
  }

  std::array<std::byte, tcp_info::kKnownSize> m_bytes{};
  std::uint16_t m_size = 0;
  AccecnLayout m_accecnLayout = AccecnLayout::unknown;
  TcpInfoHoles m_holes;
};

}  // namespace tcpscope
