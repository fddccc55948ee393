// Input that was lost, refused or damaged. A gap is data: it is counted, shown to the user and lowers confidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/model/connection_id.h"

namespace tcpscope {

/// The numbers are in recordings: new kinds go to the end.
enum class GapKind : std::uint8_t {
  /// The kernel's socket buffer overflowed (ENOBUFS): some sockets of this poll are missing.
  receiveBufferOverflow,
  /// The kernel said that the dump was inconsistent (NLM_F_DUMP_INTR).
  dumpInterrupted,
  /// A message was cut, or its lengths contradict each other.
  malformedMessage,
  /// A message that answers none of our requests.
  foreignMessage,
  /// The same socket twice in one dump; the second is dropped.
  repeatedSocket,
  /// The kernel answered a request with an error.
  requestRefused,
  /// The analysis did not keep up: batches were refused by the bounded queue.
  queueFull,
  /// Samples of the focused connection that came too late for their slot.
  focusSlotMissed,
  /// More sockets than the budget allows.
  socketBudget,
  /// Bytes of an agent or a recording that were damaged or cut: what they held is missing.
  damagedFrame,
  /// The agent ended: nothing more comes from its place.
  agentEnded,
  /// Owners and changes of settings of which a text was longer than kMostOwnerTextBytes and was cut.
  textCut,
  /// Owners that are unknown because the budget of owners is used up.
  ownerBudget,
  /// Connections without a full record, and samples that records dropped or statistics left out, because a budget of
  /// memory is used up.
  recordBudget,
  /// Connections that are not reported on in detail, because all of them would take too much memory.
  detailBudget,
  /// Single events of the kernel of which more came than are taken, or fit into its buffer.
  eventsLost,
  /// Hosts with network namespaces that the agent was to report and may not see or enter.
  namespacesHidden,
};
inline constexpr std::size_t kGapKinds = static_cast<std::size_t>(GapKind::namespacesHidden) + 1;

enum class GapSeverity : std::uint8_t { info, warning, dataLoss };

struct CollectionGap {
  PlaceId place;
  GapKind kind = GapKind::malformedMessage;
  std::uint64_t count = 0;
};

GapSeverity severity(GapKind kind);
/// Sockets or polls may be missing, not only what is known about them.
bool maySkipSockets(GapKind kind);
/// Whole polls of the place are missing, not single sockets of a poll.
bool missesPolls(GapKind kind);
/// snake_case, for the JSON documents.
std::string_view name(GapKind kind);
std::string_view name(GapSeverity severity);

}  // namespace tcpscope
