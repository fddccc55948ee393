// What frames carry, as values: an agent's reports and the requests to it.
//
// The bytes are untrusted: numbers are within bounds when they come out of a TraceReader, texts stay untrusted.
#pragma once

#include <variant>

#include "collectors/source/collector.h"
#include "core/host/place.h"
#include "core/host/sysctl_values.h"
#include "core/model/history_event.h"

namespace tcpscope {

/// What an agent can do, as bits of TraceHello::capabilities.
enum class AgentCapability : std::uint32_t {
  list = 1,
  focus = 2,
  filter = 4,
  owners = 8,
  bufferLocks = 16,
  destroyEvents = 32,
  capture = 64,
};

/// The first frame of a stream.
struct TraceHello {
  /// Its number is the reader's.
  Place place;
  /// Both clocks of the place when the stream began.
  ClockPair clock;
  std::uint32_t capabilities = 0;
  UntrustedText program;

  [[nodiscard]] bool can(AgentCapability capability) const {
    return (capabilities & static_cast<std::uint32_t>(capability)) != 0;
  }
};

/// A setting of the host: "net.ipv4.tcp_rmem", "4096 131072 6291456".
struct HostFact {
  UntrustedText key;
  UntrustedText value;

  bool operator==(const HostFact&) const = default;
};
using HostFacts = std::vector<HostFact>;

/// What a recording is about: its number, and the recording comment.
struct TraceAbout {
  /// The same in all pieces of a recording that was cut into several files.
  std::uint64_t recording = 0;
  /// Counts the pieces, of which the first may be gone.
  std::uint32_t piece = 0;
  UntrustedText note;

  bool operator==(const TraceAbout&) const = default;
};

/// Something that happened to a connection at a moment, from a source that sees single events.
struct ConnectionEvent {
  ConnectionId id;
  HistoryEvent event;
};

struct IntervalRequest {
  Milliseconds list{1000};
  Microseconds focus{10000};
  bool operator==(const IntervalRequest&) const = default;
};
struct FilterRequest {
  std::uint32_t stateMask = kEveryState;
  /// In the grammar of ConnectionFilter; empty for everything.
  std::string text;
  bool operator==(const FilterRequest&) const = default;
};
struct FocusRequest {
  /// Empty to sample none.
  std::optional<SocketAddress> socket;
  /// The number of the further network namespace that it is in; absent for the agent's own.
  std::optional<std::uint32_t> networkNamespace{};
  bool operator==(const FocusRequest&) const = default;
};
struct StopRequest {
  bool operator==(const StopRequest&) const = default;
};

/// Of an event of a source, in bytes: the writer cuts what is longer, the reader takes it for damage.
inline constexpr std::size_t kMaxSourceName = 64;
inline constexpr std::size_t kMaxEventPayload = 1024;

/// A batch carries what its frame carried: sockets, or closed ones, or owners, or retransmissions, or events, or gaps.
using TraceValue = std::variant<TraceHello, TraceAbout, HostFacts, ObservationBatch, ConnectionEvent, ChangeMark,
                                IntervalRequest, FilterRequest, FocusRequest, StopRequest>;

/// The settings to be looked up. They are untrusted: values are read as numbers only.
SysctlValues sysctlValues(const HostFacts& facts);
HostFacts hostFacts(const SysctlValues& values);

/// What a session takes in of a value: a batch as it is, the place's settings, and that one changed, as batches of
/// their own. Nothing of what is no observation.
std::optional<ObservationBatch> observationsOf(TraceValue&& value, PlaceId place);

}  // namespace tcpscope
