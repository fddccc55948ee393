// The door to the files that the user names for pictures and figures. Comes from the GUI thread, and waits for the
// medium.
#pragma once

#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/base/system_error.h"

namespace tcpscope {

class FilePort {
public:
  FilePort() = default;
  FilePort(const FilePort&) = delete;
  FilePort& operator=(const FilePort&) = delete;
  virtual ~FilePort() = default;

  /// Makes or replaces the file, whole or not at all. Fails where the name is one of a directory, a link or a device.
  virtual Expected<void, SystemError> write(const std::string& path, std::string_view content) = 0;
};

}  // namespace tcpscope
