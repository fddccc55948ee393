// Where this host's command line is, for whoever runs it or hands it on.
#pragma once

#include <filesystem>
#include <optional>

namespace tcpscope {

/// `tcpscope-cli` as it lies beside this program, or is it, installed or in a build tree; nothing where there is none.
std::optional<std::filesystem::path> commandLineBeside();

}  // namespace tcpscope
