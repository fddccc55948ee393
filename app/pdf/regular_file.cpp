#include "app/pdf/regular_file.h"

#include <fcntl.h>
#include <glib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

namespace tcpscope {

namespace {

constexpr std::size_t kBytesAtOnce = 1U << 20U;

struct FreeChecksum {
  void operator()(GChecksum* checksum) const { g_checksum_free(checksum); }
};

}  // namespace

Expected<RegularFile, int> RegularFile::open(const std::filesystem::path& path) {
  using Failure = Unexpected<int>;
  // Without O_NONBLOCK a FIFO would wait for a writer.
  OwnedDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (descriptor.get() < 0) return Failure(errno);
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) return Failure(errno);
  if (!S_ISREG(status.st_mode)) return Failure(ENOTSUP);
  return RegularFile(std::move(descriptor), static_cast<std::uint64_t>(status.st_size));
}

Expected<std::uint64_t, int> RegularFile::readAll(std::uint64_t most,
                                                  const std::function<bool(std::string_view)>& take) {
  std::vector<char> buffer(kBytesAtOnce);
  std::uint64_t sum = 0;
  while (sum < most) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), most - sum));
    const ssize_t size = pread(m_descriptor.get(), buffer.data(), wanted, static_cast<off_t>(sum));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return Unexpected<int>(errno);
    if (size == 0) break;
    sum += static_cast<std::uint64_t>(size);
    if (!take({buffer.data(), static_cast<std::size_t>(size)})) break;
  }
  return sum;
}

Expected<ReportedFile, int> describeFile(const std::filesystem::path& path, const std::stop_token& stop) {
  auto file = RegularFile::open(path);
  if (!file) return Unexpected<int>(file.error());
  const std::unique_ptr<GChecksum, FreeChecksum> checksum(g_checksum_new(G_CHECKSUM_SHA256));
  // No further than it was: a capture may go on growing.
  const auto size = file->readAll(file->bytes(), [&](std::string_view part) {
    g_checksum_update(checksum.get(), reinterpret_cast<const guchar*>(part.data()), static_cast<gssize>(part.size()));
    return !stop.stop_requested();
  });
  if (!size) return Unexpected<int>(size.error());
  if (stop.stop_requested()) return Unexpected<int>(ECANCELED);
  return ReportedFile{UntrustedText(path.filename().string()), *size, g_checksum_get_string(checksum.get())};
}

}  // namespace tcpscope
