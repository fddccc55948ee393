// Replaces a file of the user atomically (collectors/system/new_file.h).
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/expected.h"

namespace tcpscope {

/// Fails with errno, as NewFile::create() does, and leaves the old file.
Expected<void, int> replaceFile(const std::filesystem::path& path, std::string_view content);

}  // namespace tcpscope
