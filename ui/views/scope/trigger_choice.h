// What the scope waits for, on which connections, and what it does then.
#pragma once

#include "core/model/trigger.h"
#include "ui/plots/acquisition.h"

namespace tcpscope {

/// Beside the mark on the screen; the window carries them out.
struct TriggerActions {
  bool notifies = false;
  /// From some time before the first trigger until some time after.
  bool records = false;
  bool reports = false;
  bool operator==(const TriggerActions&) const = default;
};

struct TriggerChoice {
  TriggerCondition condition = HistoryEventKind::retransmission;
  TriggerSettings settings{};
  /// Any connection in the scope, not the selected one alone.
  bool isOfAllShown = false;
  TriggerActions actions{};
};

}  // namespace tcpscope
