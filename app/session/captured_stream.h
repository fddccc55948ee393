// What a live capture makes of its packets: the state of it, the analysis of the one connection, the newest packets for
// the graphs on the kernel's time axis, and their headers for a file.
//
// No thread and no waiting: the capturing thread feeds it.
#pragma once

#include <optional>

#include "app/session/capture_means.h"
#include "collectors/pcap/header_ring.h"
#include "collectors/pcap/live_capture.h"
#include "collectors/pcap/packet_decoder.h"
#include "collectors/system/clock_pair.h"
#include "core/model/socket_observation.h"
#include "core/session/capture/capture_analysis.h"
#include "core/session/session_control.h"
#include "core/wire/flow/end_pair.h"

namespace tcpscope {

/// A request, and what the session knows about the connection.
struct CaptureOrder {
  CaptureRequest request;
  /// As packets carry them: IPv4-mapped addresses are IPv4.
  Endpoint local;
  Endpoint remote;
  /// The negotiated window scale of either end, as the kernel reports it; nothing before the negotiation.
  std::optional<std::uint8_t> localScale;
  std::optional<std::uint8_t> remoteScale;
};

CaptureOrder captureOrderOf(const CaptureRequest& request, const SocketObservation& socket);

class CapturedStream {
public:
  /// `other` where the packets' times are not by this machine's clock. Where nothing is known of that it is taken for
  /// the same.
  CapturedStream(const CaptureOrder& order, Bytes ring, const std::optional<OtherClock>& other = std::nullopt);

  void take(const CapturedFrame& frame);
  /// The capture's counts since its start; nothing where there are none.
  void setCounts(const std::optional<LiveCaptureCounts>& counts);
  /// The state, and a copy of the packets.
  [[nodiscard]] CaptureObservation observe();
  /// Writes the packets that are still here; the outcome is in the state.
  void save(const std::string& file, std::uint32_t number, Bytes snapLength);

  [[nodiscard]] bool hasNews() const { return m_hasNews; }
  void noteNews() { m_hasNews = true; }

  LiveCaptureState state;

private:
  [[nodiscard]] std::shared_ptr<const CapturedPackets> packets();
  void supplyScales(CaptureConnection& connection) const;
  void letOldestGo();

  CaptureOrder m_order;
  EndPair m_ends;
  ClockReading m_clock;
  bool m_isOwnClock;
  HeaderRing m_ring;
  std::uint64_t m_discardedOfSeries = 0;
  CaptureAnalysis m_analysis;
  PacketSeries m_series;
  PacketDecoder m_decoder;
  PacketSample m_sample;
  std::optional<LiveCaptureCounts> m_counts;
  bool m_hasNews = true;
};

}  // namespace tcpscope
