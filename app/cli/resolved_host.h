// What a word of the user names: the addresses of a host, or the paths to a network, an address or a host. Only a name
// is asked of the system's resolver.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "core/advice/path_prefix.h"
#include "core/base/expected.h"
#include "core/model/endpoint.h"

namespace tcpscope {

/// Never empty, the one that the system prefers first (RFC 6724); or the exit code after printing why there is none.
Expected<std::vector<IpAddress>, ExitCode> resolveHost(const std::string& host);

/// Never empty; or the exit code after printing the error: an unknown name, or an address without a path.
Expected<std::set<PathPrefix>, ExitCode> pathsOfName(const std::string& word);

}  // namespace tcpscope
