// One TCP connection of a capture: both directions, the handshake, where the capture was taken.
//
// Feed it every packet of the connection in the order of the capture. What take() returns says what the packet was, so
// that a plot can be drawn along the way; nothing of that is kept here.
#pragma once

#include <algorithm>
#include <array>

#include "core/flow/direction_summary.h"
#include "core/flow/timestamp_echoes.h"
#include "core/flow/transmission_tracker.h"
#include "core/flow/window_tracker.h"
#include "core/observation/packet_sample.h"

namespace tcpscope {

/// The end of a connection that a packet came from: 0 is the one whose packet was seen first.
using Side = std::uint8_t;

struct PacketRole {
  SegmentRole segment;
  AcknowledgmentRole acknowledgment;
  bool isDuplicateAck = false;
};

class CaptureConnection {
public:
  /// `source` and `destination` of the first packet.
  CaptureConnection(const Endpoint& source, const Endpoint& destination, WallTime time);

  /// `side`: 0 where the packet goes from `source` to `destination`, 1 the other way.
  PacketRole take(const PacketSample& packet, Side side);

  /// Does this SYN belong to another connection that uses the same ports again?
  [[nodiscard]] bool isForSuccessor(const PacketSample& syn, Side side) const;
  /// What somebody else knows (the kernel, of a connection that lives here); what the SYNs say goes before it.
  void supplyWindowScale(Side side, std::uint8_t scale) { m_sides[side].suppliedScale = scale; }

  [[nodiscard]] const Endpoint& endpoint(Side side) const { return m_endpoints[side]; }
  /// Who opened it: who sent the SYN; without one, the end with the port that looks less like a service's (a port
  /// below 1024, then below 32768), and at last the one that was seen first.
  [[nodiscard]] Side initiator() const;
  [[nodiscard]] Vantage vantage() const;
  [[nodiscard]] std::optional<std::uint8_t> windowScale(Side side) const;
  [[nodiscard]] const TransmissionTracker& transmission(Side side) const { return m_sides[side].transmission; }
  [[nodiscard]] ConnectionSummary summary() const;
  /// Memory outside of the object itself.
  [[nodiscard]] std::size_t residentBytes() const;

private:
  struct End {
    TransmissionTracker transmission;
    WindowTracker window;
    TimestampEchoes echoes;
    RoundTripDistribution timestampRoundTrips;
    std::optional<OfferedOptions> offered;
    std::optional<std::uint8_t> suppliedScale;
    /// From the capture point to this end and back: its quickest acknowledgment or echo.
    std::optional<Nanoseconds> answerDelay;
    /// Payload of its full segments.
    std::uint32_t segmentBytes;
    /// Its keep-alive or probe has not been answered yet.
    bool awaitsProbeAnswer = false;
    bool hasFinished = false;

    void noteAnswer(Nanoseconds delay) { answerDelay = answerDelay ? std::min(*answerDelay, delay) : delay; }
  };
  struct ReadOptions {
    /// Only where they are more than timestamps.
    std::optional<TcpOptionList> list;
    std::optional<TcpTimestamps> timestamps;
  };

  static void readOptions(const PacketSample& packet, ReadOptions& options);
  void takeSyn(const PacketSample& packet, const TcpOptionList& options, Side side);
  void takeTimestamps(const TcpTimestamps& timestamps, const PacketSample& packet, Side side);
  void count(const PacketSample& packet, End& own);
  void takeAcknowledgment(const PacketSample& packet, const ReadOptions& options, Side side, PacketRole& role);
  void noteEnd(const PacketSample& packet, Side side);
  void noteSegmentBytes();

  [[nodiscard]] DirectionSummary directionSummary(Side side) const;
  [[nodiscard]] std::optional<Nanoseconds> handshakeRoundTrip() const;

  std::array<Endpoint, 2> m_endpoints;
  std::array<End, 2> m_sides;
  WallTime m_firstTime;
  WallTime m_lastTime;
  WallTime m_synTime;
  WallTime m_handshakeEnd;
  std::uint64_t m_timeSteps = 0;
  std::optional<Side> m_synSide;
  bool m_mayUseSack = true;
};

}  // namespace tcpscope
