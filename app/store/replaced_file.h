// Replaces a file of the user atomically: writes a temporary file beside it and renames it.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/expected.h"

namespace tcpscope {

/// Whether a file can be written there. Fails with errno; with EISDIR for a directory and EEXIST for what is neither a
/// regular file nor a link to one. A later write may still fail.
Expected<void, int> mayReplaceFile(const std::filesystem::path& path);

/// Fails with errno and leaves the old file. Follows links. A new file gets the mode of the umask, a replaced one keeps
/// its own.
Expected<void, int> replaceFile(const std::filesystem::path& path, std::string_view content);

}  // namespace tcpscope
