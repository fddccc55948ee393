// One TCP_INFO record as the kernel sent it, read field by field.
//
// The bytes are kept and decoded as late as possible: a socket costs 280 bytes instead of a kilobyte of optionals, an
// unchanged record is recognised by comparing bytes, and an old recording gains every field that is learned later.
// Fields beyond the known layout are cut off; missing ones read as "not reported".
#pragma once

#include <array>
#include <span>

#include "core/observation/tcp_info_layout.h"

namespace tcpscope {

/// The AccECN variables of the last four bytes. Linux 6.18 and later.
struct AccecnFields {
  std::optional<Count> failMode;
  std::optional<Count> optionsSeen;
};

class TcpInfoSample {
public:
  TcpInfoSample() = default;
  explicit TcpInfoSample(std::span<const std::byte> bytes, AccecnLayout layout = AccecnLayout::unknown);

  [[nodiscard]] std::span<const std::byte> bytes() const { return {m_bytes.data(), m_size}; }
  [[nodiscard]] bool empty() const { return m_size == 0; }
  [[nodiscard]] AccecnLayout accecnLayout() const { return m_accecnLayout; }

  [[nodiscard]] std::optional<TcpState> state() const { return tcp_info::kState.read(bytes()); }
  [[nodiscard]] std::optional<CaState> caState() const { return tcp_info::kCaState.read(bytes()); }
  [[nodiscard]] std::optional<Count> retransmits() const { return tcp_info::kRetransmits.read(bytes()); }
  [[nodiscard]] std::optional<Count> probes() const { return tcp_info::kProbes.read(bytes()); }
  [[nodiscard]] std::optional<Count> backoff() const { return tcp_info::kBackoff.read(bytes()); }
  [[nodiscard]] std::optional<TcpOptions> options() const { return tcp_info::kOptions.read(bytes()); }
  [[nodiscard]] std::optional<Count> sndWscale() const { return tcp_info::kSndWscale.read(bytes()); }
  [[nodiscard]] std::optional<Count> rcvWscale() const { return tcp_info::kRcvWscale.read(bytes()); }
  [[nodiscard]] std::optional<bool> deliveryRateAppLimited() const {
    return tcp_info::kDeliveryRateAppLimited.read(bytes());
  }
  [[nodiscard]] std::optional<Count> fastopenClientFail() const { return tcp_info::kFastopenClientFail.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> rto() const { return tcp_info::kRto.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> ato() const { return tcp_info::kAto.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> sndMss() const { return tcp_info::kSndMss.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> rcvMss() const { return tcp_info::kRcvMss.read(bytes()); }
  [[nodiscard]] std::optional<Segments> unacked() const { return tcp_info::kUnacked.read(bytes()); }
  [[nodiscard]] std::optional<Segments> sacked() const { return tcp_info::kSacked.read(bytes()); }
  [[nodiscard]] std::optional<Segments> lost() const { return tcp_info::kLost.read(bytes()); }
  [[nodiscard]] std::optional<Segments> retrans() const { return tcp_info::kRetrans.read(bytes()); }
  [[nodiscard]] std::optional<Segments> fackets() const { return tcp_info::kFackets.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> lastDataSent() const { return tcp_info::kLastDataSent.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> lastAckSent() const { return tcp_info::kLastAckSent.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> lastDataRecv() const { return tcp_info::kLastDataRecv.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> lastAckRecv() const { return tcp_info::kLastAckRecv.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> pmtu() const { return tcp_info::kPmtu.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> rcvSsthresh() const { return tcp_info::kRcvSsthresh.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> rtt() const { return tcp_info::kRtt.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> rttvar() const { return tcp_info::kRttvar.read(bytes()); }
  [[nodiscard]] std::optional<Segments> sndSsthresh() const { return tcp_info::kSndSsthresh.read(bytes()); }
  [[nodiscard]] std::optional<Segments> sndCwnd() const { return tcp_info::kSndCwnd.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> advmss() const { return tcp_info::kAdvmss.read(bytes()); }
  [[nodiscard]] std::optional<Segments> reordering() const { return tcp_info::kReordering.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> rcvRtt() const { return tcp_info::kRcvRtt.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> rcvSpace() const { return tcp_info::kRcvSpace.read(bytes()); }
  [[nodiscard]] std::optional<Segments> totalRetrans() const { return tcp_info::kTotalRetrans.read(bytes()); }
  [[nodiscard]] std::optional<BitsPerSecond> pacingRate() const { return tcp_info::kPacingRate.read(bytes()); }
  [[nodiscard]] std::optional<BitsPerSecond> maxPacingRate() const { return tcp_info::kMaxPacingRate.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> bytesAcked() const { return tcp_info::kBytesAcked.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> bytesReceived() const { return tcp_info::kBytesReceived.read(bytes()); }
  [[nodiscard]] std::optional<Segments> segsOut() const { return tcp_info::kSegsOut.read(bytes()); }
  [[nodiscard]] std::optional<Segments> segsIn() const { return tcp_info::kSegsIn.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> notsentBytes() const { return tcp_info::kNotsentBytes.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> minRtt() const { return tcp_info::kMinRtt.read(bytes()); }
  [[nodiscard]] std::optional<Segments> dataSegsIn() const { return tcp_info::kDataSegsIn.read(bytes()); }
  [[nodiscard]] std::optional<Segments> dataSegsOut() const { return tcp_info::kDataSegsOut.read(bytes()); }
  [[nodiscard]] std::optional<BitsPerSecond> deliveryRate() const { return tcp_info::kDeliveryRate.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> busyTime() const { return tcp_info::kBusyTime.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> rwndLimited() const { return tcp_info::kRwndLimited.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> sndbufLimited() const { return tcp_info::kSndbufLimited.read(bytes()); }
  [[nodiscard]] std::optional<Segments> delivered() const { return tcp_info::kDelivered.read(bytes()); }
  [[nodiscard]] std::optional<Segments> deliveredCe() const { return tcp_info::kDeliveredCe.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> bytesSent() const { return tcp_info::kBytesSent.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> bytesRetrans() const { return tcp_info::kBytesRetrans.read(bytes()); }
  [[nodiscard]] std::optional<Segments> dsackDups() const { return tcp_info::kDsackDups.read(bytes()); }
  [[nodiscard]] std::optional<Count> reordSeen() const { return tcp_info::kReordSeen.read(bytes()); }
  [[nodiscard]] std::optional<Segments> rcvOoopack() const { return tcp_info::kRcvOoopack.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> sndWnd() const { return tcp_info::kSndWnd.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> rcvWnd() const { return tcp_info::kRcvWnd.read(bytes()); }
  [[nodiscard]] std::optional<Count> rehash() const { return tcp_info::kRehash.read(bytes()); }
  [[nodiscard]] std::optional<Count> totalRto() const { return tcp_info::kTotalRto.read(bytes()); }
  [[nodiscard]] std::optional<Count> totalRtoRecoveries() const { return tcp_info::kTotalRtoRecoveries.read(bytes()); }
  [[nodiscard]] std::optional<Microseconds> totalRtoTime() const { return tcp_info::kTotalRtoTime.read(bytes()); }
  [[nodiscard]] std::optional<Segments> receivedCe() const { return tcp_info::kReceivedCe.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> deliveredE1Bytes() const { return tcp_info::kDeliveredE1Bytes.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> deliveredE0Bytes() const { return tcp_info::kDeliveredE0Bytes.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> deliveredCeBytes() const { return tcp_info::kDeliveredCeBytes.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> receivedE1Bytes() const { return tcp_info::kReceivedE1Bytes.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> receivedE0Bytes() const { return tcp_info::kReceivedE0Bytes.read(bytes()); }
  [[nodiscard]] std::optional<Bytes> receivedCeBytes() const { return tcp_info::kReceivedCeBytes.read(bytes()); }

  [[nodiscard]] AccecnFields accecnFields() const;

private:
  std::array<std::byte, tcp_info::kKnownSize> m_bytes{};
  std::uint16_t m_size = 0;
  AccecnLayout m_accecnLayout = AccecnLayout::unknown;
};

}  // namespace tcpscope
