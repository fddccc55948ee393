#include "app/tune/tune_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace tcpscope {

namespace {

constexpr mode_t kOwnerOnly = 0700;
constexpr mode_t kOwnerReadsAndWrites = 0600;
constexpr mode_t kOthersWrite = 0022;
constexpr std::string_view kUnfinished = ".new";

TuneError unreadable(const std::filesystem::path& path, int number) {
  return {TuneErrorKind::recordUnreadable, std::nullopt, number, UntrustedText(path.string())};
}

/// 0, or the errno. Whatever is missing of the path is made for its user alone.
int makeFolder(const std::filesystem::path& folder) {
  std::filesystem::path made;
  for (const auto& part : folder) {
    made /= part;
    if (mkdir(made.c_str(), kOwnerOnly) != 0 && errno != EEXIST) {
      // A folder on the way that may not be written is no fault as long as the next is there.
      const int why = errno;
      if (access(made.c_str(), F_OK) != 0) return why;
    }
  }
  return 0;
}

/// Of the user alone: else somebody could put a record there, or a link in place of one. None with errno.
OwnedDescriptor openFolder(const std::filesystem::path& folder) {
  OwnedDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!opened) return opened;
  struct stat status {};
  if (fstat(opened.get(), &status) != 0) return {};
  if (status.st_uid != geteuid() || (status.st_mode & kOthersWrite) != 0) {
    errno = EPERM;
    return {};
  }
  return opened;
}

/// 0, or the errno.
int writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? EIO : errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(file) == 0 ? 0 : errno;
}

int writeNew(int folder, const std::string& name, const std::string& text) {
  // What a crash left is nobody's any more: the folder is locked.
  unlinkat(folder, name.c_str(), 0);
  const OwnedDescriptor file(
      openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerReadsAndWrites));
  return file ? writeAll(file.get(), text) : errno;
}

Expected<std::optional<TuneRecord>, TuneError> readRecord(int folder, const std::filesystem::path& path,
                                                          const TuneKey& key) {
  const OwnedDescriptor file(openat(folder, key.fileName().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    if (errno == ENOENT) return std::nullopt;
    return tl::unexpected(unreadable(path / key.fileName(), errno));
  }
  // One byte more than is allowed, to see that there is more.
  std::string text(kLongestTuneRecord + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(unreadable(path / key.fileName(), errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  auto record = parseTuneRecord(text);
  if (!record || record->key != key) return tl::unexpected(unreadable(path / key.fileName(), 0));
  return record;
}

std::optional<std::filesystem::path> absoluteFrom(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody changes the environment
  if (value == nullptr || *value != '/') return std::nullopt;
  return std::filesystem::path(value);
}

}  // namespace

std::optional<std::filesystem::path> tuneFolder() {
  const std::filesystem::path part = std::filesystem::path("tcpscope") / "tuned";
  if (const auto state = absoluteFrom("XDG_STATE_HOME")) return *state / part;
  if (geteuid() == 0) return std::filesystem::path("/var/lib") / part;
  if (const auto home = absoluteFrom("HOME")) return *home / ".local" / "state" / part;
  return std::nullopt;
}

TuneError TuneStore::error(TuneErrorKind kind, int number) const {
  return {kind, std::nullopt, number, UntrustedText((m_path / m_key.fileName()).string())};
}

Expected<TuneStore, TuneError> TuneStore::open(const std::filesystem::path& folder, const TuneKey& key) {
  const auto failed = [&](int number) {
    return tl::unexpected(
        TuneError{TuneErrorKind::recordNotWritten, std::nullopt, number, UntrustedText(folder.string())});
  };
  if (const int number = makeFolder(folder); number != 0) return failed(number);
  OwnedDescriptor opened = openFolder(folder);
  if (!opened) return failed(errno);
  while (flock(opened.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return failed(errno);
  }
  TuneStore store(std::move(opened), folder, key);
  store.forgetEarlierBoots();
  return store;
}

Expected<std::optional<TuneRecord>, TuneError> TuneStore::peek(const std::filesystem::path& folder,
                                                               const TuneKey& key) {
  const OwnedDescriptor opened = openFolder(folder);
  if (!opened) {
    if (errno == ENOENT) return std::nullopt;
    return tl::unexpected(unreadable(folder, errno));
  }
  return readRecord(opened.get(), folder, key);
}

Expected<std::optional<TuneRecord>, TuneError> TuneStore::load() const {
  return readRecord(m_folder.get(), m_path, m_key);
}

Expected<void, TuneError> TuneStore::store(const TuneRecord& record) const {
  const std::string name = m_key.fileName();
  const auto failed = [this](int number) { return tl::unexpected(error(TuneErrorKind::recordNotWritten, number)); };
  if (record.options.empty()) {
    if (unlinkat(m_folder.get(), name.c_str(), 0) != 0 && errno != ENOENT) return failed(errno);
  } else {
    const std::string unfinished = name + std::string(kUnfinished);
    if (const int number = writeNew(m_folder.get(), unfinished, writeTuneRecord(record)); number != 0) {
      return failed(number);
    }
    if (renameat(m_folder.get(), unfinished.c_str(), m_folder.get(), name.c_str()) != 0) return failed(errno);
  }
  if (fsync(m_folder.get()) != 0) return failed(errno);
  return {};
}

void TuneStore::forgetEarlierBoots() const {
  DIR* const entries = opendir(m_path.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name(entry->d_name);
    const std::string_view boot = name.substr(0, name.find('_'));
    if (isBootId(boot) && boot != m_key.bootId) unlinkat(m_folder.get(), entry->d_name, 0);
  }
  closedir(entries);
}

}  // namespace tcpscope
