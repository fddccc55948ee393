// The addresses of a host that the user named, asked of the system's resolver where it is a name.
#pragma once

#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "core/base/expected.h"
#include "core/model/endpoint.h"

namespace tcpscope {

/// Never empty, the one that the system prefers first (RFC 6724); or the exit code after printing why there is none.
Expected<std::vector<IpAddress>, ExitCode> resolveHost(const std::string& host);

}  // namespace tcpscope
