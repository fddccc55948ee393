// Where this host's tcpscope-cli is, to run it, as this user or as root, or to copy it to another host.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/expected.h"

namespace tcpscope {

/// `tcpscope-cli` as it lies beside this program, or is it, installed or in a build tree; nothing where there is none.
std::optional<std::filesystem::path> commandLineBeside();
/// tcpscope-agent beside this tcpscope-cli, whose links are followed; absent where there is none. Root gets it only
/// where it belongs to the owner of tcpscope-cli, and no other user may write to it.
std::optional<std::filesystem::path> agentBeside(const std::filesystem::path& commandLine);

/// What is trusted with root.
struct TrustedForRoot {
  /// Owns the build that the program is of; an installed one is root's.
  uid_t user = getuid();
  /// Folders above this one are not checked.
  std::filesystem::path top = "/";
};

/// The path of `program` without symbolic links, if it may be started as root: only root, or `user` where it is
/// `app/cli/tcpscope-cli` of a build tree, may write to it and to the folders above it. Else a sentence that names the
/// file or folder. What is only a name is refused, because the search path may find any file.
Expected<std::string, std::string> programForRoot(const std::string& program, const TrustedForRoot& trusted = {});

}  // namespace tcpscope
