#include "app/store/replaced_file.h"

#include <unistd.h>

#include <cerrno>

#include "app/store/write_all.h"
#include "collectors/system/new_file.h"

namespace tcpscope {

Expected<void, int> replaceFile(const std::filesystem::path& path, std::string_view content) {
  auto file = NewFile::create(path);
  if (!file) return Unexpected<int>(file.error());
  if (const auto written = writeAll(file->descriptor(), content); !written) return written;
  if (::fsync(file->descriptor()) != 0) return Unexpected<int>(errno);
  return file->takeName();
}

}  // namespace tcpscope
