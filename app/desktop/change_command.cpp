#include "app/desktop/change_command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QStandardPaths>
#include <algorithm>
#include <filesystem>

#include "collectors/host/place_reader.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

bool isNumber(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A process that lives in the network namespace with this inode; empty where none may be seen.
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

/// Which rights this host's own settings take.
Expected<std::vector<std::string>, std::string> rightsHere(const RunCommand& run) {
  if (geteuid() == 0) return std::vector<std::string>();
  if (!QStandardPaths::findExecutable(QStringLiteral("sudo")).isEmpty() &&
      run({"sudo", "-n", "true"}, {}).exitCode == 0) {
    return std::vector<std::string>{"sudo", "-n"};
  }
  // Asks by itself, in a window of the desktop.
  if (!QStandardPaths::findExecutable(QStringLiteral("pkexec")).isEmpty()) return std::vector<std::string>{"pkexec"};
  return tl::unexpected(
      std::string("Changing this host takes root's rights, and there is neither pkexec nor a sudo that asks nothing; "
                  "the lines of the advice can be copied into a terminal."));
}

}  // namespace

std::vector<std::string> ChangeRoute::look(const std::vector<std::string>& words) const {
  return joined(joined({program}, words), where);
}

std::vector<std::string> ChangeRoute::change(const std::vector<std::string>& words) const {
  return joined(rights, look(words));
}

bool isOwnPlace(const Place& place) {
  const Place here = readPlace(place.id);
  return place.bootId == here.bootId && place.networkNamespace == here.networkNamespace;
}

Expected<ChangeRoute, std::string> changeRouteTo(const Place& place, const std::string& program,
                                                 const RunCommand& run) {
  if (place.bootId != readPlace(place.id).bootId) {
    return tl::unexpected("This is another host: run the lines of the advice there, by ssh " +
                          forPlainText(place.host) + ".");
  }
  ChangeRoute route{{}, program, {}};
  if (isOwnPlace(place)) {
    auto rights = rightsHere(run);
    if (!rights) return tl::unexpected(rights.error());
    route.rights = std::move(*rights);
    return route;
  }
  // Whoever owns a namespace, as of the demos, may change it; for any other one root's rights help, which the command
  // says.
  const std::string name =
      isNumber(place.networkNamespace) ? processIn(place.networkNamespace) : place.networkNamespace;
  if (name.empty()) {
    return tl::unexpected("No process may be seen in the network namespace " + whereText(place) + ".");
  }
  route.where = {"--netns=" + name};
  return route;
}

}  // namespace tcpscope
