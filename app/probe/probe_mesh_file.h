// The file that names the hosts of a mesh: a host a line, as parseProbeTarget() takes it; what follows a # is a
// comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/probe/probe_target.h"
#include "core/wire/probe/probe_mesh.h"

namespace tcpscope {

/// More is no file of hosts.
inline constexpr std::size_t kMostMeshFileBytes = 65'536;

/// One to sixteen hosts; or what is wrong with which line, in words, escaped for a terminal.
Expected<std::vector<ProbeTarget>, std::string> parseProbeMesh(std::string_view text);

/// The same from a file, which must be a regular one of at most kMostMeshFileBytes.
Expected<std::vector<ProbeTarget>, std::string> readProbeMesh(const std::string& path);

}  // namespace tcpscope
