// What to change, on trial or for good: the input of every transport and of app/changes/execute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/changes/setting_rule.h"

namespace tcpscope {

enum class ChangeKind : std::uint8_t {
  sysctl,
  /// Options of one live socket.
  socketOption,
};

struct ChangeRequest {
  std::vector<WantedSetting> settings;
  /// The values that the caller saw: apply fails if one differs by now. A key without an entry is not compared.
  std::vector<WantedSetting> expected;
  /// Also for later boots, as soon as it is confirmed. Sysctls only.
  bool persist = false;
  /// Length of the trial; absent: confirmed at once.
  std::optional<Milliseconds> revertAfter;
  /// Of socket options: a change that is on trial ends first.
  bool replacesTrial = false;
  ChangeKind kind = ChangeKind::sysctl;
  /// The connection of socket options, "LOCAL-REMOTE" as the command line takes it.
  std::string connection{};
};

}  // namespace tcpscope
