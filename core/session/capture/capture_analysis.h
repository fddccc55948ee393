// A whole capture, packet by packet, to what documents and views show of its connections.
//
// Feed it every packet in the order of the capture. A packet costs no allocation and no lookup while its connection
// goes on; what the connections come to is worked out when it is asked for, at any time.
//
// A connection is followed, or it is kept as a log of its packets: see keepLogs().
#pragma once

#include <limits>
#include <vector>

#include "core/session/capture/connection_analysis.h"
#include "core/session/capture/followed_connection.h"
#include "core/session/capture/packet_log.h"
#include "core/wire/flow/early_acknowledgments.h"

namespace tcpscope {

/// Of one connection.
struct CapturedEnds {
  Endpoint initiator;
  Endpoint responder;
};

class CaptureAnalysis {
public:
  explicit CaptureAnalysis(std::size_t maxConnections = FlowTable::kMaxConnections) : m_flows(maxConnections) {}

  /// Connections that begin from now on keep their packets for plots, 32 to 64 bytes each. Off by default.
  void keepSeries() { m_keepsSeries = true; }

  /// Acknowledgments that the capture recorded before their data are taken after it. From then on take() may leave a
  /// packet for later (`isEarly`), and finish() has to follow the last one. Off by default.
  void correctOrder() { m_correctsOrder = true; }
  /// No packet follows: takes what waits.
  void finish();

  /// Connections whose packets are few are kept as logs of them. They are followed only once a packet does not carry on
  /// from those before it, and are packed once about so many others had packets since. To be set before the first
  /// packet; at least one; off by default, and not together with series. take() does not say what such packets were.
  void keepLogs(std::size_t mostUnpacked = 2048) { m_mostUnpacked = mostUnpacked; }

  /// No packet is taken any more once the analysis takes so many bytes. Without a limit by default.
  void limitBytes(std::size_t mostBytes) { m_mostBytes = mostBytes; }

  /// What the packet was, and its connection; nowhere where there was no space for it.
  FlowPacket take(const PacketSample& packet);

  /// The capturing program has dropped packets: what seems to be missing may have passed. From now on causes of losses
  /// are only candidates, and verdicts have less confidence.
  void noteDrops() { m_hasDrops = true; }

  [[nodiscard]] std::size_t connectionCount() const { return m_flows.connections().size(); }
  /// Without objects of connections that are not followed.
  [[nodiscard]] const FlowTable& flows() const { return m_flows; }
  [[nodiscard]] CapturedEnds ends(std::size_t index) const;
  /// Packets of connections beyond the limit.
  [[nodiscard]] std::uint64_t refusedPackets() const { return m_flows.refusedPackets(); }
  /// The limit of bytes is reached.
  [[nodiscard]] bool isFull() const { return m_bytes >= m_mostBytes; }
  /// Packets that came after it was.
  [[nodiscard]] std::uint64_t packetsBeyondMemory() const { return m_packetsBeyondMemory; }
  /// What it takes, as counted along the way.
  [[nodiscard]] std::size_t countedBytes() const { return m_bytes; }
  /// Of the connection with this index, in the order in which they began.
  [[nodiscard]] ConnectionAnalysis connection(std::size_t index, WithHistory history = WithHistory::yes) const;
  /// The packets of this connection, ready to be drawn, for the caller to have; null where they were not kept.
  [[nodiscard]] std::unique_ptr<PacketSeries> releaseSeries(std::size_t index);
  [[nodiscard]] std::size_t residentBytes() const;

private:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  /// A log in no more memory than it needs.
  struct PackedLog {
    std::array<Endpoint, 2> ends;
    /// The side that opened the connection.
    FlowSide initiator = 0;
    /// Its connection was followed before: some of its packets did not carry on from the others.
    bool isFollowed = false;
    std::vector<std::uint8_t> bytes;
  };
  /// What there is of a connection beside its object in the table: its followers, with its log as long as that is
  /// short; the log alone; or the packed one.
  struct KeptConnection {
    std::unique_ptr<ConnectionFollowers> followers;
    std::unique_ptr<PacketLog> log;
    std::unique_ptr<PackedLog> packed;
    std::size_t countedBytes = 0;
    /// A packet came since its last turn to be packed.
    bool isRecent = false;
  };

  FlowPacket takeInOrder(const PacketSample& packet);
  FlowPacket takeNow(const PacketSample& packet, const EarlyAcknowledgments* waiting);
  /// Is this SYN of the connection that was located, which has only ever been logged, another one's? The sooner that is
  /// known, the less there is to do; else isForSuccessor() decides once it is followed.
  [[nodiscard]] bool opensAnother(const PacketSample& packet) const;
  /// True where the log takes the packet, which was located. Else its connection is followed from now on.
  bool logs(const PacketSample& packet);
  /// Unpacked, or new; none where logs are not kept.
  void openLog(std::uint32_t index, const PacketSample& packet);
  static void closeLogIfFull(KeptConnection& kept);
  void follow(std::uint32_t index, const PacketSample& packet);
  FlowPacket followPacket(const PacketSample& packet, JudgedPacket judged);
  /// What a followed connection learns beside its packets.
  void note(std::uint32_t index, LoggedKind kind, FlowSide side);
  void noteVainWait(std::uint32_t index, FlowSide side);
  /// Takes what this end of the connection sent and need not wait any more, at `time` at the soonest.
  void releaseReady(std::uint32_t index, FlowSide side, WallTime time);
  /// Takes a packet whose data did not come in time.
  void takeLate(const EarlyAcknowledgments::Packet& packet);
  /// One more has a log that is not packed: another is packed.
  void noteUnpacked(std::uint32_t index);
  void pack(std::uint32_t index);
  void count(std::uint32_t index);
  /// What there is of the connection takes, its places in the lists aside.
  [[nodiscard]] std::size_t bytesOf(std::size_t index) const;
  [[nodiscard]] ConnectionAnalysis analyse(const CaptureConnection& connection, const ConnectionFollowers& followers,
                                           WithHistory history) const;

  FlowTable m_flows;
  /// One a connection of the table.
  std::vector<KeptConnection> m_kept;
  /// Those with a log that is not packed, in turn: one that had a packet since its last turn stays.
  std::vector<std::uint32_t> m_unpacked;
  std::size_t m_turn = 0;
  std::size_t m_mostUnpacked = kAll;
  std::size_t m_mostBytes = kAll;
  std::size_t m_bytes = 0;
  std::uint64_t m_packetsBeyondMemory = 0;
  EarlyAcknowledgments m_waiting;
  bool m_correctsOrder = false;
  bool m_keepsSeries = false;
  bool m_hasDrops = false;
};

}  // namespace tcpscope
