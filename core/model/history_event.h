// What happened to a connection at one moment and is worth a mark on a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/moment.h"

namespace tcpscope {

enum class HistoryEventKind : std::uint8_t {
  retransmission,
  timeout,
  peerWindowClosed,
  ownWindowClosed,
  congestionWindowDrop,
  recoveryStarted,
  stateChanged,
  congestionControlChanged,
  /// The segment size, the path's MTU or the program's limit of the pacing rate.
  settingChanged,
  opened,
  closed,
  /// Samples are missing before this moment.
  gap,
  /// Of the place, or an option of this connection: what exactly is in ConnectionDetail::changeMarks.
  hostSettingChanged,
  /// A packet of it, in either direction, was dropped on the host of the place: why is in
  /// ConnectionDetail::lossReports.
  localDrop,
};
inline constexpr std::size_t kHistoryEventKinds = static_cast<std::size_t>(HistoryEventKind::localDrop) + 1;
std::string_view name(HistoryEventKind kind);

struct HistoryEvent {
  Moment time;
  HistoryEventKind kind = HistoryEventKind::gap;
  /// How many, where it is countable.
  std::uint64_t count = 1;
  /// Reported by a source at the moment it happened, not concluded from two samples around it.
  bool isReported = false;
};

}  // namespace tcpscope
