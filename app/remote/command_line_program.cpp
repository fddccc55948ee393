#include "app/remote/command_line_program.h"

#include <sys/stat.h>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "tcpscope-cli";
constexpr const char* kAgentName = "tcpscope-agent";

/// Both `app/desktop` and `app/cli` of a build tree.
bool isFolderOfBuild(const fs::path& folder) {
  return folder.parent_path().filename() == "app";
}

bool isOfBuild(const fs::path& program) {
  const fs::path folder = program.parent_path();
  std::error_code error;
  return program.filename() == kName && folder.filename() == "cli" && isFolderOfBuild(folder) &&
         fs::is_regular_file(folder.parent_path().parent_path() / "CMakeCache.txt", error);
}

std::string shown(const fs::path& path) {
  return forPlainText(UntrustedText(path.string()));
}

Unexpected<std::string> refused(const fs::path& program, const std::string& reason) {
  return Unexpected<std::string>(shown(program) + " is not run as root: " + reason +
                                 "; install the package tcpscope-cli");
}

}  // namespace

std::optional<fs::path> commandLineBeside() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = folder / kName;
  if (access(installed.c_str(), X_OK) == 0) return installed;
  const fs::path built = folder.parent_path() / "cli" / kName;
  if (isFolderOfBuild(folder) && access(built.c_str(), X_OK) == 0) return built;
  return std::nullopt;
}

std::optional<fs::path> agentBeside(const fs::path& commandLine) {
  std::error_code error;
  const fs::path itself = fs::canonical(commandLine, error);
  const fs::path agent = itself.parent_path() / kAgentName;
  struct stat ofItself {};
  struct stat ofAgent {};
  if (error || stat(itself.c_str(), &ofItself) != 0 || lstat(agent.c_str(), &ofAgent) != 0) return std::nullopt;
  if (!S_ISREG(ofAgent.st_mode) || access(agent.c_str(), X_OK) != 0) return std::nullopt;
  const bool isReplaceable = ofAgent.st_uid != ofItself.st_uid || (ofAgent.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return geteuid() == 0 && isReplaceable ? std::nullopt : std::optional(agent);
}

Expected<std::string, std::string> programForRoot(const std::string& program, const TrustedForRoot& trusted) {
  if (!fs::path(program).is_absolute()) return refused(program, "it is not installed beside this program");
  std::error_code error;
  const fs::path path = fs::canonical(program, error);
  if (error || !fs::is_regular_file(path, error)) return refused(program, "there is no such program");
  const bool isUsersBuild = isOfBuild(path);
  for (fs::path checked = path; true; checked = checked.parent_path()) {
    struct stat status {};
    if (lstat(checked.c_str(), &status) != 0) return refused(path, shown(checked) + " cannot be checked");
    const bool isOwnerTrusted = status.st_uid == 0 || (isUsersBuild && status.st_uid == trusted.user);
    if (!isOwnerTrusted) {
      return refused(path, shown(checked) + " belongs to the user with UID " + std::to_string(status.st_uid));
    }
    // With an access control list these are the rights of its mask, and so of every user and group that it names.
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return refused(path, "other users may write to " + shown(checked));
    if (checked == trusted.top || !checked.has_relative_path()) return path.string();
  }
}

}  // namespace tcpscope
