// What the scope waits for, on which connections, and what it does then.
#pragma once

#include <string>

#include "core/model/trigger.h"
#include "ui/plots/acquisition.h"

namespace tcpscope {

/// Beside the mark on the screen; the window carries them out.
struct TriggerActions {
  bool notifies = false;
  /// From some time before the first trigger until some time after.
  bool records = false;
  bool reports = false;
  /// The packets of the connection, for some time from the trigger on.
  bool captures = false;
  bool operator==(const TriggerActions&) const = default;
};

struct TriggerChoice {
  TriggerCondition condition = HistoryEventKind::retransmission;
  TriggerSettings settings{};
  /// Any connection in the scope, not the selected one alone.
  bool isOfAllShown = false;
  TriggerActions actions{};
  /// Waits in place of the condition on every live connection, whether shown or not, until one begins to match this
  /// filter; empty for the condition.
  std::string filterText{};
};

}  // namespace tcpscope
