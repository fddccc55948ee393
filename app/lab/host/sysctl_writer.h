// Sets the sysctls of a network namespace, and sees that the kernel took them.
#pragma once

#include <map>
#include <string>

#include "core/base/expected.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// "net.ipv4.tcp_rmem", in the caller's network namespace. Keys outside of `net.` are refused: they would change this
/// machine. The kernel accepts nonsense (a fourth number, two instead of three), so that the value is read back and
/// compared, number by number.
Expected<void, LabError> writeSysctl(const std::string& key, const std::string& value);

Expected<void, LabError> writeSysctls(const std::map<std::string, std::string>& values);

}  // namespace tcpscope::lab
