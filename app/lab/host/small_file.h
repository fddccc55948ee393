// The kernel's files of one value: /proc/sys, /proc/self/uid_map.
#pragma once

#include <optional>
#include <string>

#include "core/base/expected.h"

namespace tcpscope::lab {

/// In one write, as these files want it; the error is errno. The kernel may take a part only: who minds, reads back.
Expected<void, int> writeSmallFile(const std::string& path, const std::string& text);

/// Up to 4 KiB, without the line's end; nothing where it cannot be read.
std::optional<std::string> readSmallFile(const std::string& path);

}  // namespace tcpscope::lab
