#include "app/store/state_folder.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace tcpscope {

namespace {

constexpr const char* kOfService = "STATE_DIRECTORY";
constexpr const char* kOfUser = "XDG_STATE_HOME";
constexpr const char* kHome = "HOME";

std::optional<std::filesystem::path> absoluteFrom(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): the environment never changes
  if (value == nullptr || *value != '/') return std::nullopt;
  return std::filesystem::path(value);
}

}  // namespace

std::optional<std::filesystem::path> stateFolder(std::string_view part) {
  if (const auto given = absoluteFrom(kOfService)) return *given / part;
  if (geteuid() == 0) return std::filesystem::path("/var/lib/tcpscope") / part;
  if (const auto state = absoluteFrom(kOfUser)) return *state / "tcpscope" / part;
  if (const auto home = absoluteFrom(kHome)) return *home / ".local/state/tcpscope" / part;
  return std::nullopt;
}

std::vector<std::string> stateFolderEnvironment() {
  std::vector<std::string> environment;
  for (const char* const variable : std::array{kOfService, kOfUser, kHome}) {
    if (const auto path = absoluteFrom(variable)) environment.push_back(std::string(variable) + '=' + path->string());
  }
  return environment;
}

}  // namespace tcpscope
