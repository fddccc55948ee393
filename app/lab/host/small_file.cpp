#include "app/lab/host/small_file.h"

#include <fcntl.h>

#include <array>
#include <cerrno>

#include "collectors/system/owned_descriptor.h"

namespace tcpscope::lab {

Expected<void, int> writeSmallFile(const std::string& path, const std::string& text) {
  const OwnedDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return tl::unexpected(errno);
  if (write(file.get(), text.data(), text.size()) < 0) return tl::unexpected(errno);
  return {};
}

std::optional<std::string> readSmallFile(const std::string& path) {
  const OwnedDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::array<char, 4096> buffer;
  const ssize_t length = read(file.get(), buffer.data(), buffer.size());
  if (length < 0) return std::nullopt;
  std::string text(buffer.data(), static_cast<std::size_t>(length));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace tcpscope::lab
