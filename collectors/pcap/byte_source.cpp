#include "collectors/pcap/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tcpscope {

namespace {

class DescriptorSource final : public ByteSource {
public:
  explicit DescriptorSource(int descriptor) : m_descriptor(descriptor) {}
  ~DescriptorSource() override { ::close(m_descriptor); }
  DescriptorSource(const DescriptorSource&) = delete;
  DescriptorSource& operator=(const DescriptorSource&) = delete;

  Expected<std::size_t, CaptureFault> read(std::span<std::byte> out) override {
    ssize_t count = -1;
    do {
      count = ::read(m_descriptor, out.data(), out.size());
    } while (count < 0 && errno == EINTR);
    if (count >= 0) return static_cast<std::size_t>(count);
    CaptureFault fault;
    fault.kind = CaptureFaultKind::readFailed;
    fault.errorNumber = errno;
    return Unexpected<CaptureFault>(fault);
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override {
    struct stat status {};
    if (::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
  }
  bool seek(std::uint64_t offset) override {
    return size() && ::lseek(m_descriptor, static_cast<off_t>(offset), SEEK_SET) >= 0;
  }

private:
  int m_descriptor;
};

Expected<std::unique_ptr<ByteSource>, CaptureFault> opened(int descriptor) {
  if (descriptor >= 0) return descriptorSource(descriptor);
  CaptureFault fault;
  fault.kind = CaptureFaultKind::openFailed;
  fault.errorNumber = errno;
  return Unexpected<CaptureFault>(fault);
}

}  // namespace

std::unique_ptr<ByteSource> descriptorSource(int descriptor) {
  return std::make_unique<DescriptorSource>(descriptor);
}

Expected<std::unique_ptr<ByteSource>, CaptureFault> openFile(const std::filesystem::path& path) {
  return opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

Expected<std::unique_ptr<ByteSource>, CaptureFault> openRegularFile(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a FIFO in place of the file would block.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))) return opened(descriptor);
  ::close(descriptor);
  errno = EINVAL;
  return opened(-1);
}

Expected<std::unique_ptr<ByteSource>, CaptureFault> openStandardInput() {
  return opened(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
}

}  // namespace tcpscope
