// A ChangeReport as rows and notes of the change panel.
#pragma once

#include "core/changes/change_report.h"
#include "ui/feed/change_port.h"

namespace tcpscope {

struct ChangeDisplay {
  std::vector<HostChangeRow> rows;
  std::vector<std::string> notes;
  bool canApply = false;
  /// Of socket options: tcpscope changed at least one, and its original is known.
  bool canRevert = false;
};

/// Sysctls: a preview, or the first change of the report.
ChangeDisplay displayOf(const ChangeReport& report);
/// Current values of socket options beside the requested ones; of all options where none is requested.
ChangeDisplay displayOfOptions(const ChangeReport& report, const std::vector<SettingChange>& requested);
/// Socket options that were changed or reverted.
ChangeDisplay displayOfOptionChanges(const ChangeReport& report);

}  // namespace tcpscope
