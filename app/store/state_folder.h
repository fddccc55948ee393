// Where tcpscope keeps what has to survive: what systemd tells a service, the system's folder for root, the user's own
// for everybody else.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace tcpscope {

/// $STATE_DIRECTORY/part, /var/lib/tcpscope/part, $XDG_STATE_HOME/tcpscope/part or ~/.local/state/tcpscope/part
/// (systemd.exec (5), XDG Base Directory Specification); nothing where the environment names no place. A relative path
/// names none.
std::optional<std::filesystem::path> stateFolder(std::string_view part);

}  // namespace tcpscope
