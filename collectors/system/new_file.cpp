#include "collectors/system/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tcpscope {

namespace {

std::filesystem::path folderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

Expected<void, int> NewFile::mayCreate(const std::filesystem::path& target) {
  struct stat status {};
  if (::lstat(target.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return Unexpected<int>(EISDIR);
    if (S_ISLNK(status.st_mode)) return Unexpected<int>(ELOOP);
    if (!S_ISREG(status.st_mode)) return Unexpected<int>(ENOTSUP);
  }
  if (::access(folderOf(target).c_str(), W_OK | X_OK) != 0) return Unexpected<int>(errno);
  return {};
}

Expected<NewFile, int> NewFile::create(const std::filesystem::path& target) {
  if (const auto may = mayCreate(target); !may) return Unexpected<int>(may.error());
  std::string temporary = (folderOf(target) / ".tcpscope-XXXXXX").string();
  OwnedDescriptor descriptor(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!descriptor) return Unexpected<int>(errno);
  NewFile file(target, std::move(temporary), std::move(descriptor));
  struct stat replaced {};
  constexpr mode_t kRights = 0777;
  // Another user's rights would show them what root writes.
  const bool isOurs = ::lstat(target.c_str(), &replaced) == 0 && replaced.st_uid == ::geteuid();
  if (isOurs && ::fchmod(file.descriptor(), replaced.st_mode & kRights) != 0) return Unexpected<int>(errno);
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_descriptor(std::move(other.m_descriptor)) {}

Expected<void, int> NewFile::takeName() {
  if (hasName()) return {};
  if (::rename(m_temporary.c_str(), m_target.c_str()) != 0) return Unexpected<int>(errno);
  m_temporary.clear();
  return {};
}

void NewFile::discard() {
  if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
  m_temporary.clear();
}

}  // namespace tcpscope
