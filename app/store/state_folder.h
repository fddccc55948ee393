// The folder for persistent state: from systemd for a service, the system's folder for root, the user's own otherwise.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tcpscope {

/// $STATE_DIRECTORY/part, /var/lib/tcpscope/part, $XDG_STATE_HOME/tcpscope/part or ~/.local/state/tcpscope/part
/// (systemd.exec (5), XDG Base Directory Specification); nothing if the environment has none. Relative
/// paths are ignored.
std::optional<std::filesystem::path> stateFolder(std::string_view part);

/// "NAME=VALUE" of what stateFolder() reads: another process with these has the same folders.
std::vector<std::string> stateFolderEnvironment();

}  // namespace tcpscope
