#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "collectors/owner/process_reader.h"

namespace tcpscope {

namespace {

constexpr std::size_t kShownIdLength = 12;
constexpr std::size_t kShortestId = 32;

struct Runtime {
  std::string_view prefix;
  std::string_view label;
};

/// How runtimes under systemd name a container's scope: PREFIX-ID.scope.
constexpr std::array<Runtime, 6> kScopePrefixes{{{"docker-", "docker:"},
                                                 {"libpod-", "podman:"},
                                                 {"cri-containerd-", "kubernetes:"},
                                                 {"crio-", "kubernetes:"},
                                                 {"nerdctl-", "containerd:"},
                                                 {"machine-", "machine:"}}};

/// How they name the folder above a bare id.
constexpr std::array<Runtime, 3> kParents{
    {{"docker", "docker:"}, {"libpod_parent", "podman:"}, {"kubepods", "kubernetes:"}}};

bool isId(std::string_view text) {
  return text.size() >= kShortestId && std::all_of(text.begin(), text.end(), [](char character) {
           return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
         });
}

UntrustedText labelled(std::string_view label, std::string_view id) {
  return UntrustedText(std::string(label).append(id.substr(0, isId(id) ? kShownIdLength : id.size())));
}

std::optional<UntrustedText> containerScope(std::string_view part) {
  constexpr std::string_view kScope = ".scope";
  if (!part.ends_with(kScope)) return std::nullopt;
  part.remove_suffix(kScope.size());
  for (const Runtime& runtime : kScopePrefixes) {
    if (part.starts_with(runtime.prefix)) return labelled(runtime.label, part.substr(runtime.prefix.size()));
  }
  return std::nullopt;
}

std::optional<UntrustedText> lxcContainer(std::string_view parent, std::string_view part) {
  constexpr std::string_view kPayload = "lxc.payload.";
  if (part.starts_with(kPayload)) return labelled("lxc:", part.substr(kPayload.size()));
  if (parent == "lxc" || parent == "lxc.payload") return labelled("lxc:", part);
  return std::nullopt;
}

/// `path` is the whole path of the cgroup; `part` one component of it, `parent` the one above.
std::optional<UntrustedText> nameOf(std::string_view path, std::string_view parent, std::string_view part) {
  if (std::optional<UntrustedText> scope = containerScope(part)) return scope;
  if (std::optional<UntrustedText> lxc = lxcContainer(parent, part)) return lxc;
  if (isId(part)) {
    for (const Runtime& runtime : kParents) {
      if (path.find("/" + std::string(runtime.prefix)) != std::string_view::npos) return labelled(runtime.label, part);
    }
  }
  if (part.ends_with(".service")) return UntrustedText(std::string(part));
  return std::nullopt;
}

/// The deepest component that names something.
std::optional<UntrustedText> nameInPath(std::string_view path) {
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t slash = rest.rfind('/');
    const std::string_view part = slash == std::string_view::npos ? rest : rest.substr(slash + 1);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
    const std::size_t above = rest.rfind('/');
    const std::string_view parent = above == std::string_view::npos ? rest : rest.substr(above + 1);
    if (std::optional<UntrustedText> found = nameOf(path, parent, part)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<UntrustedText> unitOrContainerOf(std::string_view cgroupText) {
  // "0::/system.slice/nginx.service", and one line a hierarchy under the first version of cgroups.
  std::optional<UntrustedText> found;
  while (!cgroupText.empty() && !found) {
    const std::size_t end = std::min(cgroupText.find('\n'), cgroupText.size());
    const std::string_view line = cgroupText.substr(0, end);
    cgroupText.remove_prefix(std::min(end + 1, cgroupText.size()));
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second != std::string_view::npos) found = nameInPath(line.substr(second + 1));
  }
  return found;
}

}  // namespace tcpscope
