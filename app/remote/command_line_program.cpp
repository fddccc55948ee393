#include "app/remote/command_line_program.h"

#include <unistd.h>

namespace tcpscope {

std::optional<std::filesystem::path> commandLineBeside() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& candidate : {folder / "tcpscope-cli", folder.parent_path() / "cli" / "tcpscope-cli"}) {
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

}  // namespace tcpscope
