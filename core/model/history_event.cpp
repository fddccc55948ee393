#include "core/model/history_event.h"

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
    case HistoryEventKind::localDrop:
      return "local_drop";
  }
  return "unknown";
}

}  // namespace tcpscope
