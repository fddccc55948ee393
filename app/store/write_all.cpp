#include "app/store/write_all.h"

#include <unistd.h>

#include <cerrno>

namespace tcpscope {

Expected<void, int> writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Unexpected<int>(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace tcpscope
