#include "app/probe/probe_mesh_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "collectors/system/owned_descriptor.h"
#include "core/base/escape.h"

namespace tcpscope {

namespace {

using Failure = Unexpected<std::string>;

constexpr std::string_view kBlanks = " \t\r";

std::string_view withoutBlanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string systemText(int error) {
  return std::generic_category().message(error);
}

}  // namespace

Expected<std::vector<ProbeTarget>, std::string> parseProbeMesh(std::string_view text) {
  if (text.size() > kMostMeshFileBytes)
    return Failure(fmt::format("it has more than {} bytes; name at most {} hosts", kMostMeshFileBytes, kMostMeshHosts));
  std::vector<ProbeTarget> hosts;
  std::vector<std::size_t> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view word = withoutBlanks(line.substr(0, line.find('#')));
    if (word.empty()) continue;
    auto host = parseProbeTarget(word);
    if (!host) return Failure(fmt::format("line {}: {}", number, host.error()));
    const auto same = std::ranges::find(hosts, host->name, &ProbeTarget::name);
    if (same != hosts.end()) {
      return Failure(fmt::format("line {}: {} is already on line {}", number, forTerminal(word),
                                 lines[static_cast<std::size_t>(same - hosts.begin())]));
    }
    if (hosts.size() == kMostMeshHosts)
      return Failure(fmt::format("line {}: more than {} hosts; measure them in groups", number, kMostMeshHosts));
    hosts.push_back(std::move(*host));
    lines.push_back(number);
  }
  if (hosts.empty()) return Failure("it names no host; write one a line, ssh://HOST or HOST:PORT");
  return hosts;
}

Expected<std::vector<ProbeTarget>, std::string> readProbeMesh(const std::string& path) {
  // Without O_NONBLOCK a FIFO would wait for a writer.
  const OwnedDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return Failure(systemText(errno));
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return Failure(systemText(errno));
  if (!S_ISREG(status.st_mode)) return Failure("it is no regular file");
  // One more than it may have: what is longer is refused, not cut.
  std::string text(kMostMeshFileBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failure(systemText(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  return parseProbeMesh(std::string_view(text).substr(0, size));
}

}  // namespace tcpscope
