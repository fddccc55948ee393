#include "app/changes/transport/command_route.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "collectors/host/place_reader.h"
#include "core/base/escape.h"

namespace tcpscope {

namespace {

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

bool isNumber(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A process in the network namespace with this inode; empty if none is visible.
std::string processIn(const std::string& inode) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    std::string pid = entry.path().filename();
    struct stat status {};
    if (!isNumber(pid) || stat((entry.path() / "ns/net").c_str(), &status) != 0) continue;
    if (std::to_string(status.st_ino) == inode) return pid;
  }
  return {};
}

std::string whereText(const Place& place) {
  return forPlainText(UntrustedText(place.networkNamespace));
}

/// On the search path of this process.
bool isInstalled(const std::string& program) {
  const char* const variable = std::getenv("PATH");
  std::istringstream folders(variable != nullptr ? variable : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    folder.append("/").append(program);
    if (access(folder.c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Rights for the sysctls of this host.
Expected<std::vector<std::string>, std::string> rightsHere(const RunCommand& run) {
  if (geteuid() == 0) return std::vector<std::string>();
  if (isInstalled("sudo") && run({"sudo", "-n", "true"}, {}).exitCode == 0) {
    return std::vector<std::string>{"sudo", "-n"};
  }
  // Has a prompt of its own on the desktop.
  if (isInstalled("pkexec")) return std::vector<std::string>{"pkexec"};
  return tl::unexpected(
      std::string("Changing this host needs root, and there is neither pkexec nor a sudo without a password; "
                  "copy the commands of the advice into a terminal."));
}

}  // namespace

std::vector<std::string> ChangeRoute::withoutRights(const std::vector<std::string>& words) const {
  return joined(joined({program}, words), where);
}

std::vector<std::string> ChangeRoute::withRights(const std::vector<std::string>& words) const {
  return joined(rights, withoutRights(words));
}

bool isOwnPlace(const Place& place) {
  const Place here = readPlace(place.id);
  return place.bootId == here.bootId && place.networkNamespace == here.networkNamespace;
}

Expected<ChangeRoute, std::string> changeRouteTo(const Place& place, const std::string& program, const RunCommand& run,
                                                 const CheckProgram& check) {
  if (place.bootId != readPlace(place.id).bootId) {
    return tl::unexpected("This is another host: run the commands of the advice there, with ssh " +
                          forPlainText(place.host) + ".");
  }
  ChangeRoute route{{}, program, {}};
  if (isOwnPlace(place)) {
    auto rights = rightsHere(run);
    if (!rights) return tl::unexpected(rights.error());
    route.rights = std::move(*rights);
    if (route.rights.empty()) return route;
    auto checked = check(program);
    if (!checked) return tl::unexpected(checked.error());
    route.program = std::move(*checked);
    return route;
  }
  // The owner of a namespace, such as a demo's, may change it; for any other one the command asks for sudo.
  const auto known = place.namespaceName();
  const std::string name = known ? *known : processIn(place.networkNamespace);
  if (name.empty()) {
    return tl::unexpected("No process is visible in the network namespace " + whereText(place) + ".");
  }
  route.where = {"--netns=" + name};
  return route;
}

}  // namespace tcpscope
