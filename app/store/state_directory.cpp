#include "app/store/state_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "app/store/write_all.h"

namespace tcpscope {

namespace {

Unexpected<int> failed() {
  return Unexpected<int>(errno);
}

bool mayTrust(const struct stat& status) {
  const bool isOurs = status.st_uid == 0 || status.st_uid == geteuid();
  return isOurs && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Expected<OwnedDescriptor, int> openTrusted(const std::filesystem::path& path) {
  OwnedDescriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory) return failed();
  struct stat status {};
  if (fstat(directory.get(), &status) != 0) return failed();
  if (!mayTrust(status)) return Unexpected<int>(EPERM);
  return directory;
}

}  // namespace

Expected<StateDirectory, int> StateDirectory::openPrivate(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return failed();
  return openShared(path);
}

Expected<StateDirectory, int> StateDirectory::openShared(const std::filesystem::path& path) {
  auto directory = openTrusted(path);
  if (!directory) return Unexpected<int>(directory.error());
  return StateDirectory(std::move(*directory));
}

Expected<void, int> StateDirectory::checkWritable() const {
  if (faccessat(m_directory.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) return failed();
  return {};
}

Expected<OwnedDescriptor, int> StateDirectory::lock(const std::string& name, LockWait wait) const {
  OwnedDescriptor file(
      openat(m_directory.get(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file) return failed();
  while (flock(file.get(), wait == LockWait::never ? LOCK_EX | LOCK_NB : LOCK_EX) != 0) {
    if (errno != EINTR) return failed();
  }
  return file;
}

Expected<std::optional<std::string>, int> StateDirectory::read(const std::string& name, std::size_t most) const {
  // Without O_NONBLOCK, opening a FIFO in place of the file would block.
  const OwnedDescriptor file(openat(m_directory.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return std::optional<std::string>();
  if (!file) return failed();
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return failed();
  if (!S_ISREG(status.st_mode)) return Unexpected<int>(EINVAL);
  std::string text(most + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed();
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > most) return Unexpected<int>(EFBIG);
  text.resize(size);
  return std::optional<std::string>(std::move(text));
}

Expected<void, int> StateDirectory::replace(const std::string& name, std::string_view text, unsigned mode) const {
  const std::string temporary = "." + name + ".tmp";
  // Left by a killed program; writers hold the lock.
  unlinkat(m_directory.get(), temporary.c_str(), 0);
  const OwnedDescriptor file(
      openat(m_directory.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file) return failed();
  const auto undone = [&](int number) {
    unlinkat(m_directory.get(), temporary.c_str(), 0);
    return Unexpected<int>(number);
  };
  if (const auto written = writeAll(file.get(), text); !written) return undone(written.error());
  // Independent of the caller's umask.
  if (fchmod(file.get(), mode) != 0 || fsync(file.get()) != 0) return undone(errno);
  if (renameat(m_directory.get(), temporary.c_str(), m_directory.get(), name.c_str()) != 0) return undone(errno);
  if (fsync(m_directory.get()) != 0) return failed();
  return {};
}

Expected<void, int> StateDirectory::remove(const std::string& name) const {
  if (unlinkat(m_directory.get(), name.c_str(), 0) != 0 && errno != ENOENT) return failed();
  if (fsync(m_directory.get()) != 0) return failed();
  return {};
}

Expected<std::vector<std::string>, int> StateDirectory::names() const {
  // closedir() closes this duplicate.
  const int directory = openat(m_directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return failed();
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(directory), closedir);
  if (!entries) return failed();
  std::vector<std::string> names;
  while (const dirent* const entry = readdir(entries.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tcpscope
