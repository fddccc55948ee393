#include "collectors/host/sysctl_source_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "collectors/host/file_values.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

class Descriptor {
public:
  explicit Descriptor(int number) : m_number(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (m_number >= 0) close(m_number);
  }
  [[nodiscard]] int number() const { return m_number; }

private:
  int m_number;
};

/// The first bytes of an open file, no more than `most`; nothing after an error.
std::optional<std::string> readUpTo(int file, std::size_t most) {
  std::string text(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t part = read(file, text.data() + size, most - size);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return std::nullopt;
    if (part == 0) break;
    size += static_cast<std::size_t>(part);
  }
  text.resize(size);
  return text;
}

/// Whether every user may search all folders above an open file or folder. By the path of what is open, which no
/// symbolic link is part of and which a rename meanwhile does not redirect.
bool isReachableForAll(int file) {
  std::error_code error;
  fs::path above = fs::read_symlink("/proc/self/fd/" + std::to_string(file), error);
  if (error || !above.is_absolute()) return false;
  while (above.has_relative_path()) {
    above = above.parent_path();
    struct stat status {};
    if (stat(above.c_str(), &status) != 0 || (status.st_mode & S_IXOTH) == 0) return false;
  }
  return true;
}

/// By the permission bits alone: where an access control list refuses a user, this does not.
bool isReadableForAll(int file, const struct stat& status) {
  return (status.st_mode & S_IROTH) != 0 && isReachableForAll(file);
}

/// Reads one file after the other within the limits.
class SourceFileReader {
public:
  explicit SourceFileReader(const SysctlReadLimits& limits) : m_limits(limits), m_bytesLeft(limits.bytesInAll) {}

  SysctlSourceFile read(const fs::path& path, SysctlFolder folder) {
    SysctlSourceFile source{folder, UntrustedText(path.filename().string()), SysctlFileState::unread, {}};
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) source.state = SysctlFileState::masked;
      return source;
    }
    if (!S_ISREG(status.st_mode)) {
      source.state = SysctlFileState::masked;
      return source;
    }
    // Whatever the name refers to by now, opening never blocks; the file is checked again before it is read.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.number() < 0 || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return source;
    if (m_limits.onlyWorldReadable && !isReadableForAll(file.number(), status)) return source;
    const std::size_t most = std::min(m_limits.bytesOfFile, m_bytesLeft);
    std::optional<std::string> text = readUpTo(file.number(), most + 1);
    if (!text || text->size() > most) return source;
    m_bytesLeft -= text->size();
    source.state = SysctlFileState::read;
    source.text = std::move(*text);
    return source;
  }

private:
  SysctlReadLimits m_limits;
  std::size_t m_bytesLeft;
};

struct FolderNames {
  std::vector<std::string> names;
  bool isComplete = true;
};

/// Names that end as those of settings do, at most so many.
FolderNames namesIn(DIR* folder, std::size_t most) {
  FolderNames found;
  while (true) {
    errno = 0;
    const dirent* entry = readdir(folder);
    if (entry == nullptr) {
      found.isComplete = found.isComplete && errno == 0;
      return found;
    }
    const std::string_view name = entry->d_name;
    if (name.front() == '.' || !name.ends_with(".conf")) continue;
    if (found.names.size() == most) {
      found.isComplete = false;
      return found;
    }
    found.names.emplace_back(name);
  }
}

bool isNumber(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

SysctlSourceFiles readSysctlSourceFiles(const fs::path& root, const SysctlReadLimits& limits) {
  SysctlSourceFiles result;
  std::error_code error;
  // What sd_booted(3) looks for.
  result.tool = fs::is_directory(root / "run/systemd/system", error) ? SysctlBootTool::systemd : SysctlBootTool::procps;
  SourceFileReader reader(limits);
  SysctlSourceFile conf = reader.read(root / fs::path(kSysctlConfPath).relative_path(), SysctlFolder::etc);
  if (conf.state != SysctlFileState::masked) result.sysctlConf = std::move(conf);
  // Where /lib is a link to /usr/lib, the folder is read once.
  std::set<std::pair<dev_t, ino_t>> seen;
  for (std::size_t rank = 0; rank < kSysctlFolderCount; ++rank) {
    const auto folder = static_cast<SysctlFolder>(rank);
    const fs::path place = root / fs::path(path(folder)).relative_path();
    const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(place.c_str()), &closedir);
    struct stat status {};
    if (!open || fstat(dirfd(open.get()), &status) != 0) {
      if (errno != ENOENT && errno != ENOTDIR) result.unreadFolders.push_back(folder);
      continue;
    }
    if (!seen.emplace(status.st_dev, status.st_ino).second) continue;
    if (limits.onlyWorldReadable && !isReadableForAll(dirfd(open.get()), status)) {
      result.unreadFolders.push_back(folder);
      continue;
    }
    const FolderNames names = namesIn(open.get(), limits.files - result.files.size());
    if (!names.isComplete) result.unreadFolders.push_back(folder);
    for (const std::string& name : names.names) {
      result.files.push_back(reader.read(place / name, folder));
    }
  }
  return result;
}

OtherTuners otherTuners(const fs::path& root) {
  OtherTuners tuners;
  bool runsTuned = false;
  bool runsBpftune = false;
  std::error_code error;
  for (fs::directory_iterator entry(root / "proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string process = entry->path().filename().string();
    if (!isNumber(process)) continue;
    const std::string name = firstLineOf(entry->path() / "comm");
    // Where /proc hides other users' processes or their names, it hides those of the first one, too.
    tuners.sawAllProcesses = tuners.sawAllProcesses || (process == "1" && !name.empty());
    runsTuned = runsTuned || name == "tuned";
    runsBpftune = runsBpftune || name == "bpftune";
  }
  if (error) tuners.sawAllProcesses = false;
  const bool hasTunedFolder = fs::is_directory(root / "run/tuned", error);
  if (runsTuned || hasTunedFolder) {
    tuners.found.push_back({OtherTuner::tuned, runsTuned ? TunerEvidence::process : TunerEvidence::runFolder});
  }
  if (runsBpftune) tuners.found.push_back({OtherTuner::bpftune, TunerEvidence::process});
  return tuners;
}

}  // namespace tcpscope
