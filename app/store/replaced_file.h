// A file of the user's, written whole or not at all: beside it first, then in its place.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/expected.h"

namespace tcpscope {

/// Could a file be written there? Fails with errno; with EISDIR for a directory and EEXIST for what is neither a plain
/// file nor a link to one, which nobody wants replaced. A later failure is possible all the same.
Expected<void, int> mayReplaceFile(const std::filesystem::path& path);

/// What was there is there still where it fails, with errno. Links are followed. A new file is readable by whom the
/// umask allows, one that was there keeps its rights.
Expected<void, int> replaceFile(const std::filesystem::path& path, std::string_view content);

}  // namespace tcpscope
