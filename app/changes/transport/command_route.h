// How `tcpscope-cli` is started for a place on this host: with which rights and in which network namespace. The desktop
// application itself has no rights.
#pragma once

#include <string>
#include <vector>

#include "app/changes/transport/command_result.h"
#include "core/base/expected.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// What precedes and follows the words of a command.
struct ChangeRoute {
  /// pkexec or sudo; empty if the own rights suffice.
  std::vector<std::string> rights;
  std::string program;
  /// --netns=NAME; empty for the network namespace of this process.
  std::vector<std::string> where;

  [[nodiscard]] std::vector<std::string> withoutRights(const std::vector<std::string>& words) const;
  [[nodiscard]] std::vector<std::string> withRights(const std::vector<std::string>& words) const;
};

/// The boot and network namespace of this process.
bool isOwnPlace(const Place& place);

/// Whether the program may be started as root: its path, or a sentence why not.
using CheckProgram = std::function<Expected<std::string, std::string>(const std::string& program)>;

/// The route to this place, or a sentence why there is none. Blocks. `check` decides about what sudo or pkexec start.
Expected<ChangeRoute, std::string> changeRouteTo(const Place& place, const std::string& program, const RunCommand& run,
                                                 const CheckProgram& check);

}  // namespace tcpscope
