#include "collectors/host/network_namespace_finder.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>
#include <vector>

#include "collectors/host/file_values.h"
#include "core/base/expected.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;
using Inodes = std::unordered_set<std::uint64_t>;

/// PROC_PID_INIT_INO of the kernel's proc_ns.h: all processes are visible in the initial PID namespace only.
constexpr std::string_view kInitialPids = "pid:[4026531836]";
constexpr std::size_t kMostDescriptors = 200'000;
constexpr int kMostPasses = 10;

Expected<std::string, int> linkText(const fs::path& path) {
  std::array<char, 256> text{};
  const ssize_t size = readlink(path.c_str(), text.data(), text.size());
  if (size < 0) return tl::unexpected(errno);
  return std::string(text.data(), static_cast<std::size_t>(size));
}

bool hasEnded(int number) {
  return number == ENOENT || number == ESRCH;
}

/// The inode in "net:[4026531840]" for the kind "net:[".
std::optional<std::uint64_t> inodeIn(std::string_view text, std::string_view kind) {
  if (text.substr(0, kind.size()) != kind) return std::nullopt;
  return numberIn<std::uint64_t>(text.substr(kind.size()));
}

/// The numbers that are names here, in ascending order; errno where the folder cannot be read.
Expected<std::vector<std::uint64_t>, int> numbersIn(const fs::path& folder) {
  std::error_code error;
  std::vector<std::uint64_t> numbers;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (const auto number = numberIn<std::uint64_t>(entry->path().filename().native())) numbers.push_back(*number);
  }
  if (error) return tl::unexpected(error.value());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

class Finder {
public:
  explicit Finder(const fs::path& procRoot) : m_root(procRoot) {}

  std::optional<Inodes> find() {
    if (linkText(m_root / "self/ns/pid") != kInitialPids) return std::nullopt;
    // A process that began during a pass may have what one that ended had: until a pass finds no new one.
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const auto pids = numbersIn(m_root);
      if (!pids) return std::nullopt;
      bool hasNew = false;
      for (const std::uint64_t pid : *pids) {
        if (!m_read.insert(pid).second) continue;
        hasNew = true;
        if (!readProcess(pid)) return std::nullopt;
      }
      if (!hasNew) return isComplete() ? std::optional(std::move(m_found)) : std::nullopt;
    }
    return std::nullopt;
  }

private:
  /// False for one that may hide something.
  bool readProcess(std::uint64_t pid) {
    const fs::path process = m_root / std::to_string(pid);
    const auto threads = numbersIn(process / "task");
    if (!threads) return hasEnded(threads.error());
    bool hasDescriptors = false;
    for (const std::uint64_t thread : *threads) {
      const fs::path task = process / "task" / std::to_string(thread);
      const auto network = linkText(task / "ns/net");
      // Also of a thread that was not waited for: it holds nothing.
      if (!network && hasEnded(network.error())) continue;
      const auto inode = network ? inodeIn(*network, "net:[") : std::nullopt;
      if (!inode) return false;
      m_found.insert(*inode);
      m_hasFirst = m_hasFirst || pid == 1;
      if (!readMounts(task)) return false;
      // The threads of a process share their descriptors.
      if (!hasDescriptors && !readDescriptors(task)) return false;
      hasDescriptors = true;
    }
    return true;
  }

  bool readMounts(const fs::path& task) {
    const auto mounts = linkText(task / "ns/mnt");
    if (!mounts) return hasEnded(mounts.error());
    const auto inode = inodeIn(*mounts, "mnt:[");
    if (!inode) return false;
    if (m_mounts.count(*inode) != 0) return true;
    std::ifstream file(task / "mountinfo");
    // "36 35 0:4 net:[4026532289] /run/netns/blue …", proc_pid_mountinfo(5): its root is the fourth word.
    std::string id;
    std::string parent;
    std::string device;
    std::string root;
    std::string rest;
    while (file >> id >> parent >> device >> root && std::getline(file, rest)) note(root);
    // One that has ended meanwhile: another of the same namespace is read.
    if (!id.empty()) m_mounts.insert(*inode);
    return true;
  }

  bool readDescriptors(const fs::path& task) {
    const auto numbers = numbersIn(task / "fd");
    if (!numbers) return hasEnded(numbers.error());
    m_descriptors += numbers->size();
    if (m_descriptors > kMostDescriptors) return false;
    for (const std::uint64_t number : *numbers) {
      const auto target = linkText(task / "fd" / std::to_string(number));
      if (!target && hasEnded(target.error())) continue;
      if (!target) return false;
      note(*target);
      // One that was opened by the path of a mount has that path for a name, also after the mount's end. Not by
      // stat(2), which waits for a file server that does not answer.
      if (target->starts_with('/') && !readInode(task / "fdinfo" / std::to_string(number))) return false;
    }
    return true;
  }

  bool readInode(const fs::path& info) {
    std::ifstream file(info);
    if (!file) return hasEnded(errno);
    std::string name;
    std::uint64_t inode = 0;
    while (file >> name) {
      if (name != "ino:") continue;
      if (!(file >> inode)) return false;
      m_found.insert(inode);
      return true;
    }
    // Before Linux 5.14.
    return false;
  }

  void note(std::string_view text) {
    if (const auto network = inodeIn(text, "net:[")) m_found.insert(*network);
    if (const auto mounts = inodeIn(text, "mnt:[")) m_held.insert(*mounts);
  }

  /// Mount namespaces without a process keep their mounts, too, which cannot be read.
  [[nodiscard]] bool isComplete() const {
    return m_hasFirst &&
           std::all_of(m_held.begin(), m_held.end(), [&](std::uint64_t inode) { return m_mounts.count(inode) != 0; });
  }

  const fs::path& m_root;
  Inodes m_found;
  /// Processes; mount namespaces that were read, and those that a mount or a descriptor keeps.
  Inodes m_read;
  Inodes m_mounts;
  Inodes m_held;
  std::size_t m_descriptors = 0;
  bool m_hasFirst = false;
};

}  // namespace

std::optional<std::unordered_set<std::uint64_t>> findNetworkNamespaces(const std::filesystem::path& procRoot) {
  return Finder(procRoot).find();
}

}  // namespace tcpscope
