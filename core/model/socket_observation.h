// What one look at one socket gave, and the batch in which a collector hands such looks to the analysis.
//
// A batch holds only what changed: a socket whose bytes are the same as at the last poll, ages aside, is counted in
// `unchanged` and is still alive. A connection is gone only when the batch says so in `closed`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/model/byte_attributes.h"
#include "core/model/change_mark.h"
#include "core/model/collection_gap.h"
#include "core/model/connection_id.h"
#include "core/model/endpoint.h"
#include "core/model/live_capture_state.h"
#include "core/model/owner.h"
#include "core/model/retransmission_event.h"
#include "core/model/socket_memory.h"
#include "core/model/socket_timer.h"
#include "core/model/source_event.h"
#include "core/model/tcp_info_sample.h"
#include "core/model/tcp_state.h"

namespace tcpscope {

/// BBR's own figures (INET_DIAG_BBRINFO).
struct BbrInfo {
  BitsPerSecond bandwidth;
  Microseconds minRtt{0};
  double pacingGainRatio = 0.0;
  double congestionWindowGainRatio = 0.0;

  bool operator==(const BbrInfo&) const = default;
};

/// A congestion control's name as the kernel gives it: at most 15 characters, no allocation.
class CongestionControlName {
public:
  CongestionControlName() = default;
  explicit CongestionControlName(std::string_view text);
  [[nodiscard]] std::string_view text() const { return {m_text.data(), m_size}; }
  [[nodiscard]] bool empty() const { return m_size == 0; }
  bool operator==(const CongestionControlName&) const = default;

private:
  std::array<char, 15> m_text{};
  std::uint8_t m_size = 0;
};

/// Which buffers the program set itself, which switches autotuning off (getsockopt SO_BUF_LOCK, Linux 5.15). The
/// diagnosis messages do not carry it: it is read from a duplicate of the program's descriptor, where this is allowed.
struct BufferLocks {
  bool sendBuffer = false;
  bool receiveBuffer = false;
  bool operator==(const BufferLocks&) const = default;
};

/// Whether the program switched off that small writes wait for an acknowledgment (TCP_NODELAY), or asked that they wait
/// for a full segment (TCP_CORK). Read as the buffer locks are.
struct NagleOptions {
  bool noDelay = false;
  bool cork = false;
  bool operator==(const NagleOptions&) const = default;
};

/// What the program that holds the socket waited for between two samples of its threads, and what kept the processors
/// from it meanwhile.
struct ProgramWaits {
  Moment from;
  Moment until;
  /// Ready to run while the processors did something else: the thread that waited longest.
  Nanoseconds forProcessor{0};
  /// Pages of its memory that had to be read from the disk first, swapped ones among them (majflt, proc(5)).
  std::optional<std::uint64_t> majorFaults{};
  /// In each second at least, of the processor that did most of it then: time spent on packets and on what else
  /// interrupts leave behind (softirq).
  std::optional<double> softirqRatio{};

  [[nodiscard]] double processorRatio() const {
    return until > from ? toSeconds(forProcessor) / toSeconds(until - from) : 0.0;
  }
  [[nodiscard]] std::optional<double> majorFaultsPerSecond() const {
    if (!majorFaults || until <= from) return std::nullopt;
    return static_cast<double>(*majorFaults) / toSeconds(until - from);
  }
  bool operator==(const ProgramWaits&) const = default;
};

/// Of two spans, of which the later follows the earlier at once, as one.
ProgramWaits together(const ProgramWaits& earlier, const ProgramWaits& later);

struct SocketObservation {
  ConnectionId id;
  Endpoint local;
  Endpoint remote;
  TcpState state = TcpState::unknown;
  std::uint32_t userId = 0;
  std::uint32_t inode = 0;
  /// 0 where the socket is bound to no interface.
  std::uint32_t interfaceIndex = 0;
  /// Bytes received and not yet read. On a listener: length of the accept queue.
  Bytes receiveQueue;
  /// Bytes written and not yet acknowledged. On a listener: the longest accept queue allowed.
  Bytes sendQueue;
  std::optional<std::uint64_t> cgroupId;
  CongestionControlName congestionControl;
  std::optional<BufferLocks> bufferLocks;
  std::optional<NagleOptions> nagle;
  /// TCP_USER_TIMEOUT, read as the buffer locks are; 0 where the program set none, as the kernel has it.
  std::optional<Milliseconds> userTimeout;
  std::optional<ProgramWaits> programWaits;
  /// Absent where none runs, or none is reported.
  std::optional<SocketTimer> timer;
  std::optional<SocketMemory> memory;
  std::optional<BbrInfo> bbr;
  ByteAttributes byteAttributes;
  /// Empty for states that carry none (TIME-WAIT, SYN-RECEIVED).
  TcpInfoSample info;
  Moment takenAt;
  /// When this socket was last seen unchanged, if it was: the change happened after it.
  std::optional<Moment> unchangedUntil;
};

/// A destroyed socket; `last` is what the kernel said at the end, where it said anything.
struct ClosedSocket {
  ConnectionId id;
  Moment closedAt;
  std::optional<SocketObservation> last;
};

struct OwnerObservation {
  ConnectionId id;
  Owner owner;
};

/// Options that only the program's descriptor shows.
struct LiveOptions {
  BufferLocks locks;
  std::optional<NagleOptions> nagle{};
  std::optional<Milliseconds> userTimeout{};
  bool operator==(const LiveOptions&) const = default;
};

struct LiveOptionsObservation {
  ConnectionId id;
  LiveOptions options;
};

struct ProgramWaitsObservation {
  ConnectionId id;
  ProgramWaits waits;
};

struct CapturedPackets;

/// How a live capture stands, and the packets that it holds (core/session/capture/captured_packets.h); null before the
/// first.
struct CaptureObservation {
  LiveCaptureState state;
  std::shared_ptr<const CapturedPackets> packets{};
};

enum class SampleRate : std::uint8_t { list, focus };

class SysctlValues;
struct Place;

/// A change of a place as a whole.
enum class PlaceTurn : std::uint8_t {
  none,
  /// It is new, or its host restarted: nothing that was seen of it before exists any more.
  appeared,
  /// No source reports on it: its state is unknown. The next source reports everything first.
  lost,
  /// It is not observed any more and is removed with all that was seen of it.
  left,
};

struct ObservationBatch {
  PlaceId place;
  PlaceTurn turn = PlaceTurn::none;
  /// The place that appeared, as it names itself; null else.
  std::shared_ptr<const Place> appeared;
  /// It is of this host, whose /proc knows the programs there. No other host can say so.
  bool appearedHere = false;
  SampleRate rate = SampleRate::list;
  std::vector<SocketObservation> changed;
  std::vector<ClosedSocket> closed;
  std::vector<OwnerObservation> owners;
  std::vector<LiveOptionsObservation> liveOptions;
  std::vector<ProgramWaitsObservation> programWaits;
  std::vector<CollectionGap> gaps;
  std::vector<CaptureObservation> captures;
  /// Retransmissions of all connections, in order of time; only if they are reported one by one.
  std::vector<RetransmissionEvent> retransmissions;
  bool reportsRetransmissions = false;
  /// In order of time, of all connections of the place.
  std::vector<SourceEvent> events;
  /// What is set at the place (core/host/sysctl_values.h); null if this batch does not report it.
  std::shared_ptr<const SysctlValues> settings;
  /// Settings that were seen to have changed, in order of time.
  std::vector<ChangeMark> changeMarks;
  /// Sockets seen and found unchanged.
  std::uint64_t unchanged = 0;
  /// Set on the last batch of a dump: when the dump ended.
  std::optional<Moment> dumpEndedAt;

  /// Something of the programs behind the sockets.
  [[nodiscard]] bool isOfPrograms() const { return !owners.empty() || !liveOptions.empty() || !programWaits.empty(); }
};

}  // namespace tcpscope
