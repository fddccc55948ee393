// What may be handed to ssh as the host: what a person types, and nothing that ssh would take for an option or a shell
// for a command.
#pragma once

#include <optional>
#include <string_view>

namespace tcpscope {

/// HOST, USER@HOST, HOST:PORT, or a name of ~/.ssh/config; at most 255 bytes.
bool isSshAddress(std::string_view text);

/// What stands behind "ssh://" in this text; nothing where it begins otherwise.
std::optional<std::string_view> sshAddress(std::string_view from);

}  // namespace tcpscope
