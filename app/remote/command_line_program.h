// Where this host's tcpscope-cli is, to run it or to copy it to another host.
#pragma once

#include <filesystem>
#include <optional>

namespace tcpscope {

/// `tcpscope-cli` as it lies beside this program, or is it, installed or in a build tree; nothing where there is none.
std::optional<std::filesystem::path> commandLineBeside();

}  // namespace tcpscope
