#include "core/session/session_snapshot.h"

#include <algorithm>

#include "core/host/sysctl_values.h"

namespace tcpscope {

std::string_view name(HistoryEventKind kind) {
  switch (kind) {
    case HistoryEventKind::retransmission:
      return "retransmission";
    case HistoryEventKind::timeout:
      return "timeout";
    case HistoryEventKind::peerWindowClosed:
      return "peer_window_closed";
    case HistoryEventKind::ownWindowClosed:
      return "own_window_closed";
    case HistoryEventKind::congestionWindowDrop:
      return "congestion_window_drop";
    case HistoryEventKind::recoveryStarted:
      return "recovery_started";
    case HistoryEventKind::stateChanged:
      return "state_changed";
    case HistoryEventKind::congestionControlChanged:
      return "congestion_control_changed";
    case HistoryEventKind::settingChanged:
      return "setting_changed";
    case HistoryEventKind::opened:
      return "opened";
    case HistoryEventKind::closed:
      return "closed";
    case HistoryEventKind::gap:
      return "gap";
    case HistoryEventKind::hostSettingChanged:
      return "host_setting_changed";
  }
  return "unknown";
}

const SysctlValues& SessionSnapshot::settings(PlaceId id) const {
  static const SysctlValues kNotTold;
  for (const Place& place : places) {
    if (place.id == id && place.settings) return *place.settings;
  }
  return kNotTold;
}

const ConnectionFacts* SessionSnapshot::find(ConnectionId id) const {
  for (const auto& page : facts) {
    const auto found =
        std::find_if(page->begin(), page->end(), [id](const ConnectionFacts& row) { return row.id == id; });
    if (found != page->end()) return &*found;
  }
  return nullptr;
}

}  // namespace tcpscope
