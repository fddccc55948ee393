#include "core/model/stream_bytes.h"

#include <algorithm>

#include "core/model/tcp_info_sample.h"

namespace tcpscope {

std::optional<Bytes> acknowledgedData(const TcpInfoSample& info) {
  constexpr Bytes kSynAndFin{2};
  const auto acknowledged = info.bytesAcked();
  if (!acknowledged) return acknowledged;
  if (*acknowledged <= kSynAndFin && info.dataSegsOut() == Segments(0)) return Bytes(0);
  // Both count payload alone (tcp_output.c).
  const auto sent = info.bytesSent();
  const auto retransmitted = info.bytesRetrans();
  if (!sent || !retransmitted || *sent <= *retransmitted) return acknowledged;
  // A retransmission that this host refused to send counts as one, and not as sent.
  const Bytes least = *acknowledged > kSynAndFin ? *acknowledged - kSynAndFin : Bytes(0);
  return std::clamp(*sent - *retransmitted, least, *acknowledged);
}

std::optional<Bytes> receivedData(const TcpInfoSample& info) {
  constexpr Bytes kFin{1};
  const auto received = info.bytesReceived();
  if (received && *received <= kFin && info.dataSegsIn() == Segments(0)) return Bytes(0);
  return received;
}

bool carriedNothing(const TcpInfoSample& info) {
  return acknowledgedData(info) == Bytes(0) && receivedData(info) == Bytes(0);
}

}  // namespace tcpscope
