// How the desktop changes a host: `tcpscope-cli apply`, `confirm`, `revert` and `tune` run in the place, with the
// rights that it takes. The desktop itself never has them.
#pragma once

#include <string>
#include <vector>

#include "app/desktop/command_process.h"
#include "core/base/expected.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// What stands before and behind the words of a command that is to work in some place.
struct ChangeRoute {
  /// Asks for what looking does not take: pkexec or sudo; empty where the own rights do.
  std::vector<std::string> rights;
  std::string program;
  /// --netns=NAME; empty for the network namespace of this process.
  std::vector<std::string> where;

  [[nodiscard]] std::vector<std::string> look(const std::vector<std::string>& words) const;
  [[nodiscard]] std::vector<std::string> change(const std::vector<std::string>& words) const;
};

/// The network namespace of this process?
bool isOwnPlace(const Place& place);

/// The way to this place, or why there is none, as a sentence. Blocks.
Expected<ChangeRoute, std::string> changeRouteTo(const Place& place, const std::string& program, const RunCommand& run);

}  // namespace tcpscope
