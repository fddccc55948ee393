#include "collectors/owner/process_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>

namespace tcpscope {

namespace {

constexpr std::size_t kMaxTextBytes = 16384;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number number = 0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::string> readText(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::string text;
  std::array<char, 4096> part{};
  ssize_t size = 0;
  while (text.size() < kMaxTextBytes && (size = read(descriptor, part.data(), part.size())) > 0) {
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  close(descriptor);
  if (size < 0) return std::nullopt;
  return text;
}

/// The inode in "socket:[12345]".
std::optional<std::uint32_t> socketInode(std::string_view link) {
  constexpr std::string_view kPrefix = "socket:[";
  if (!link.starts_with(kPrefix) || !link.ends_with(']')) return std::nullopt;
  return parseNumber<std::uint32_t>(link.substr(kPrefix.size(), link.size() - kPrefix.size() - 1));
}

std::optional<std::uint32_t> socketInodeAt(int directory, const char* name) {
  std::array<char, 64> link{};
  const ssize_t size = readlinkat(directory, name, link.data(), link.size());
  if (size <= 0) return std::nullopt;
  return socketInode({link.data(), static_cast<std::size_t>(size)});
}

}  // namespace

std::filesystem::path ProcessReader::of(std::int32_t pid, const char* part) const {
  return m_root / std::to_string(pid) / part;
}

std::vector<std::int32_t> ProcessReader::pids() const {
  std::vector<std::int32_t> pids;
  const Directory directory(opendir(m_root.c_str()));
  if (!directory) return pids;
  while (const dirent* entry = readdir(directory.get())) {
    const std::optional<std::int32_t> pid = parseNumber<std::int32_t>(entry->d_name);
    if (pid && *pid > 0) pids.push_back(*pid);
  }
  return pids;
}

std::optional<std::uint64_t> ProcessReader::startTime(std::int32_t pid) const {
  const std::optional<std::string> text = readText(of(pid, "stat"));
  if (!text) return std::nullopt;
  // The name in parentheses may hold anything, parentheses too: what counts begins behind the last one.
  constexpr int kFieldsBetweenNameAndStart = 20;
  std::size_t at = text->rfind(')');
  for (int field = 0; field < kFieldsBetweenNameAndStart && at != std::string::npos; ++field) {
    at = text->find(' ', at + 1);
  }
  if (at == std::string::npos) return std::nullopt;
  const std::size_t end = text->find_first_of(" \n", at + 1);
  return parseNumber<std::uint64_t>(std::string_view(*text).substr(at + 1, end - at - 1));
}

ProcessReader::Sockets ProcessReader::sockets(std::int32_t pid) const {
  Sockets result;
  const Directory directory(opendir(of(pid, "fd").c_str()));
  if (!directory) {
    result.notPermitted = errno == EACCES || errno == EPERM;
    return result;
  }
  while (const dirent* entry = readdir(directory.get())) {
    const std::optional<int> number = parseNumber<int>(entry->d_name);
    if (!number) continue;
    errno = 0;
    const std::optional<std::uint32_t> inode = socketInodeAt(dirfd(directory.get()), entry->d_name);
    if (inode) result.descriptors.push_back({*number, *inode});
    if (errno == EACCES || errno == EPERM) result.notPermitted = true;
  }
  return result;
}

bool ProcessReader::mayListDescriptors(std::int32_t pid) const {
  const Directory directory(opendir(of(pid, "fd").c_str()));
  return directory || (errno != EACCES && errno != EPERM);
}

bool ProcessReader::holds(std::int32_t pid, Descriptor descriptor) const {
  const std::filesystem::path path = of(pid, "fd") / std::to_string(descriptor.number);
  return socketInodeAt(AT_FDCWD, path.c_str()) == descriptor.inode;
}

std::optional<std::uint32_t> ProcessReader::userId(std::int32_t pid) const {
  struct stat status {};
  if (stat((m_root / std::to_string(pid)).c_str(), &status) != 0) return std::nullopt;
  return status.st_uid;
}

UntrustedText ProcessReader::name(std::int32_t pid) const {
  std::string text = readText(of(pid, "comm")).value_or("");
  if (text.ends_with('\n')) text.pop_back();
  return UntrustedText(std::move(text));
}

std::optional<UntrustedText> ProcessReader::unitOrContainer(std::int32_t pid) const {
  const std::optional<std::string> text = readText(of(pid, "cgroup"));
  return text ? unitOrContainerOf(*text) : std::nullopt;
}

}  // namespace tcpscope
