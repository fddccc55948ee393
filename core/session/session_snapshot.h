// The finished picture that the analysis hands out: immutable, shared, cheap to take.
//
// Rows live in small pages, so that the next snapshot shares every page in which nothing changed; what seldom changes
// of a row has pages of its own. The order of the rows, sorted, filtered and grouped, comes with the snapshot: the GUI
// never sorts.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/moment.h"
#include "core/diagnosis/connection_diagnosis.h"
#include "core/diagnosis/limits/limit_timeline.h"
#include "core/host/place.h"
#include "core/model/change_mark.h"
#include "core/model/collection_gap.h"
#include "core/model/connection_history.h"
#include "core/model/history_event.h"
#include "core/model/loss_report.h"
#include "core/session/session_control.h"

namespace tcpscope {

/// Shares in whole percent: what the bar in the list needs.
struct LimitBar {
  std::array<std::uint8_t, kLimitCount> percent{};
};

/// Whose the time of exchanges is, in whole percent whose sum is 100; all 0 where requests and responses do not
/// alternate.
struct ExchangeBar {
  std::uint8_t local = 0;
  std::uint8_t path = 0;
  std::uint8_t remote = 0;
  /// The local end is the client and the remote one the server; else that is not known.
  bool localIsClient = false;

  [[nodiscard]] bool empty() const { return local + path + remote == 0; }
};

inline constexpr std::size_t kSparklinePoints = 16;
inline constexpr std::uint32_t kNoOwner = ~std::uint32_t{0};

/// What seldom changes of a connection in the list.
struct ConnectionFacts {
  ConnectionId id;
  Endpoint local;
  Endpoint remote;
  CongestionControlName congestionControl;
  std::uint32_t userId = 0;
  /// Index into SessionSnapshot::owners; kNoOwner until the owner is known.
  std::uint32_t ownerIndex = kNoOwner;
  Moment firstSeen;
  /// Meant only where `closed`; of a capture the last packet.
  Moment closedAt;
  /// Since when the peer has not answered; only of a connection that opens, is stalled, or that one end has closed.
  std::optional<Moment> waitingSince;
  TcpState state = TcpState::unknown;
  bool pinned = false;
  bool closed = false;
  /// Its place is lost: whether it lives is not known, nor any of its rates.
  bool unheard = false;

  bool operator==(const ConnectionFacts&) const = default;
};

/// What every sample may change. NaN where not known.
struct ConnectionFigures {
  Side bulk = Side::sending;
  Limit limit = Limit::unknown;
  Cause cause = Cause::unknown;
  float confidenceRatio = 0.0F;
  float sendRateBps = 0.0F;
  float receiveRateBps = 0.0F;
  float nextLimitBps = 0.0F;
  /// Bytes of the stream since the connection began, each once.
  float sentBytes = 0.0F;
  float receivedBytes = 0.0F;
  float rttUs = 0.0F;
  /// The peer went on sending for seconds after the last data of this end, with which the RTT was measured.
  bool isRttOld = false;
  /// Of a capture the FindingSeverity of the worst finding in either direction, plus 1; 0 without any, and where it is
  /// not judged. Of what lives that of the verdict (core/session/verdict_severity.h).
  std::uint8_t severity = 0;
  /// Retransmitted share of the data segments sent over the window.
  float retransmittedRatio = 0.0F;
  LimitBar limits;
  ExchangeBar exchanges;
  /// Since when nothing came from the peer; only of an idle connection without keep-alives.
  std::optional<Moment> silentSince;
  /// Rate of the bulk side, newest last, as 255ths of sparklineTopBps.
  std::array<std::uint8_t, kSparklinePoints> sparkline{};
  float sparklineTopBps = 0.0F;
};

/// One connection in the list.
struct ConnectionRow : ConnectionFacts, ConnectionFigures {};

inline constexpr std::size_t kRowsPerPage = 64;
/// A part of neighbouring rows.
template <class Part>
using RowPage = std::array<Part, kRowsPerPage>;
template <class Part>
using RowPageList = std::vector<std::shared_ptr<const RowPage<Part>>>;
static_assert(std::is_trivially_copyable_v<ConnectionRow>, "pages of rows are copied as bytes at every change");

struct ListenerRow {
  ConnectionId id;
  Endpoint local;
  std::uint64_t acceptQueue = 0;
  std::uint64_t backlog = 0;
  std::shared_ptr<const Owner> owner;
  std::vector<Finding> findings;
};

/// A run of neighbouring rows in the order.
struct RowGroup {
  /// Empty where the rows are grouped by place, which the first of them names, and where an owner is not known.
  UntrustedText label;
  std::size_t first = 0;
  std::size_t size = 0;
};

struct CapturedPackets;
struct LossSummary;
struct Problem;

/// A packet of a connection that its host dropped, or a retransmission whose data it may have dropped.
struct ReportedLoss {
  Moment time;
  /// HistoryEventKind::localDrop or ::retransmission, as the event at this time.
  HistoryEventKind kind = HistoryEventKind::localDrop;
  /// The dropped packet came from the peer.
  bool isFromPeer = false;
  LossReport report;
};

/// Everything about one selected connection.
struct ConnectionDetail {
  ConnectionRow row;
  /// Null until the owner is known.
  std::shared_ptr<const Owner> owner;
  SocketObservation socket;
  IntervalMetrics interval;
  WindowStatistics window;
  ConnectionDiagnosis diagnosis;
  ConnectionHistory history;
  LimitTimeline limits{0};
  std::vector<HistoryEvent> events;
  /// Settings that changed while it was watched, in order of time.
  std::vector<ChangeMark> changeMarks{};
  /// What a capture holds of it (core/session/capture/captured_packets.h); null where none does.
  std::shared_ptr<const CapturedPackets> packets{};
  /// Losses from retransmissions that the kernel reported while in focus (core/wire/loss/loss_summary.h); null where it
  /// does not report single segments.
  std::shared_ptr<const LossSummary> losses{};
  /// Single drops and retransmissions while in focus, in order of time; empty where the kernel does not report drops.
  std::vector<ReportedLoss> lossReports{};
};

/// A setting of a place, or of a connection there, that changed.
struct PlaceChange {
  PlaceId place;
  ChangeMark mark;
};
inline constexpr std::size_t kMostChanges = 64;

/// A connection that began to match the filter of the trigger.
struct TriggeredConnection {
  /// The number of the TriggerRequest.
  std::uint32_t request = 0;
  /// From 1, since the trigger was armed.
  std::uint64_t number = 0;
  std::uint32_t slot = 0;
  ConnectionId connection;
  Moment at;
};
inline constexpr std::size_t kMostTriggered = 64;

struct SessionSnapshot {
  std::uint64_t number = 0;
  Moment time;
  ClockPair clock;
  RowPageList<ConnectionFacts> facts;
  RowPageList<ConnectionFigures> figures;
  /// Slots in the order to show.
  std::shared_ptr<const std::vector<std::uint32_t>> order;
  std::shared_ptr<const std::vector<RowGroup>> groups;
  Grouping grouping = Grouping::none;
  /// Every owner seen, each once; shared between snapshots.
  std::shared_ptr<const std::vector<std::shared_ptr<const Owner>>> owners;
  /// Rows before the filter.
  std::size_t totalRows = 0;
  std::vector<ListenerRow> listeners;
  std::vector<Place> places;
  std::vector<CollectionGap> gaps;
  /// The newest kMostChanges that collectors reported, in order of time.
  std::vector<PlaceChange> changes;
  /// Of the requested trigger, in order: all that began since the last snapshot, and kMostTriggered before them.
  std::vector<TriggeredConnection> triggered;
  /// Connection in focus, the pinned and the followed ones.
  std::map<ConnectionId, std::shared_ptr<const ConnectionDetail>> details;
  /// What needs attention, worst first, as of a second ago or less; null unless requested.
  std::shared_ptr<const std::vector<Problem>> problems;
  /// The requested live capture; its packets are in the connection's detail.
  std::optional<LiveCaptureState> capture;
  /// How long the last full cycle took and the interval in use, which grows when a cycle does not fit.
  Nanoseconds cycleTime{0};
  Milliseconds listInterval{0};

  [[nodiscard]] ConnectionRow row(std::uint32_t slot) const {
    return {(*facts[slot / kRowsPerPage])[slot % kRowsPerPage], (*figures[slot / kRowsPerPage])[slot % kRowsPerPage]};
  }
  [[nodiscard]] ConnectionId id(std::uint32_t slot) const {
    return (*facts[slot / kRowsPerPage])[slot % kRowsPerPage].id;
  }
  /// Of a place; empty where not reported.
  [[nodiscard]] const SysctlValues& settings(PlaceId id) const;
  /// Null for one that the snapshot does not have. Looks at every row: for what a person asks for.
  [[nodiscard]] const ConnectionFacts* find(ConnectionId id) const;
  /// Null until the owner is known.
  [[nodiscard]] const Owner* owner(const ConnectionFacts& row) const {
    return row.ownerIndex == kNoOwner ? nullptr : (*owners)[row.ownerIndex].get();
  }
};

}  // namespace tcpscope
