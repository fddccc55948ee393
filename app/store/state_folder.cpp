#include "app/store/state_folder.h"

#include <unistd.h>

#include <cstdlib>

namespace tcpscope {

namespace {

std::optional<std::filesystem::path> absoluteFrom(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): the environment never changes
  if (value == nullptr || *value != '/') return std::nullopt;
  return std::filesystem::path(value);
}

}  // namespace

std::optional<std::filesystem::path> stateFolder(std::string_view part) {
  if (const auto given = absoluteFrom("STATE_DIRECTORY")) return *given / part;
  if (geteuid() == 0) return std::filesystem::path("/var/lib/tcpscope") / part;
  if (const auto state = absoluteFrom("XDG_STATE_HOME")) return *state / "tcpscope" / part;
  if (const auto home = absoluteFrom("HOME")) return *home / ".local/state/tcpscope" / part;
  return std::nullopt;
}

}  // namespace tcpscope
