#include "app/store/replaced_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "app/store/write_all.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

namespace {

std::filesystem::path folderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// The target of links, if it exists.
std::filesystem::path targetOf(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path target = std::filesystem::canonical(path, ignored);
  return target.empty() ? path : target;
}

mode_t rightsFor(const std::filesystem::path& target) {
  struct stat there = {};
  constexpr mode_t kRights = 07777;
  if (::stat(target.c_str(), &there) == 0) return there.st_mode & kRights;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace

Expected<void, int> mayReplaceFile(const std::filesystem::path& path) {
  const std::filesystem::path target = targetOf(path);
  struct stat there = {};
  if (::stat(target.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) return Unexpected<int>(EISDIR);
    if (!S_ISREG(there.st_mode)) return Unexpected<int>(EEXIST);
  }
  if (::access(folderOf(target).c_str(), W_OK | X_OK) != 0) return Unexpected<int>(errno);
  return {};
}

Expected<void, int> replaceFile(const std::filesystem::path& path, std::string_view content) {
  if (const auto may = mayReplaceFile(path); !may) return may;
  const std::filesystem::path target = targetOf(path);
  std::string beside = (folderOf(target) / ".tcpscope-XXXXXX").string();
  const OwnedDescriptor file(::mkostemp(beside.data(), O_CLOEXEC));
  if (!file) return Unexpected<int>(errno);
  int error = 0;
  if (const auto written = writeAll(file.get(), content); !written) {
    error = written.error();
  } else if (::fchmod(file.get(), rightsFor(target)) != 0 || ::fsync(file.get()) != 0 ||
             ::rename(beside.c_str(), target.c_str()) != 0) {
    error = errno;
  }
  if (error == 0) return {};
  ::unlink(beside.c_str());
  return Unexpected<int>(error);
}

}  // namespace tcpscope
