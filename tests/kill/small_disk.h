// A file system for the journals of one round: small, so that it is soon full, and without a device that fsync waits
// for. In a mount namespace of this program's own.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

class SmallDisk {
public:
  /// For a process with a single thread. False where it has no right to.
  static bool enterOwnNamespace() {
    outside();
    return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }

  /// The folder for temporary files from now on.
  SmallDisk() {
    std::string name = (outside() / "tcpscope-disk-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    m_path = name;
    if (mount("tmpfs", m_path.c_str(), "tmpfs", 0, "size=512k,nr_inodes=500,mode=0755") != 0) std::abort();
    setenv("TMPDIR", m_path.c_str(), 1);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    // A timer may still have a file of it open.
    umount2(m_path.c_str(), MNT_DETACH);
    std::error_code error;
    std::filesystem::remove(m_path, error);
  }

  /// Leaves this many pages: each record needs one.
  void fill(std::size_t pagesLeft) const {
    constexpr off_t kPageBytes = 4096;
    const OwnedDescriptor file(open(filler().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    off_t size = 0;
    while (posix_fallocate(file.get(), size, kPageBytes) == 0) size += kPageBytes;
    const off_t left = static_cast<off_t>(pagesLeft) * kPageBytes;
    if (ftruncate(file.get(), size > left ? size - left : 0) != 0) std::abort();
  }
  void free() const {
    std::error_code error;
    std::filesystem::remove(filler(), error);
  }

private:
  static const std::filesystem::path& outside() {
    static const std::filesystem::path path = std::filesystem::temp_directory_path();
    return path;
  }
  [[nodiscard]] std::filesystem::path filler() const { return m_path / "filler"; }

  std::filesystem::path m_path;
};

}  // namespace tcpscope
