// The files that the user names in the window, written as those of the command line are (collectors/system/new_file.h).
#pragma once

#include "ui/feed/file_port.h"

namespace tcpscope {

class UserFiles final : public FilePort {
public:
  Expected<void, SystemError> write(const std::string& path, std::string_view content) override;
};

}  // namespace tcpscope
