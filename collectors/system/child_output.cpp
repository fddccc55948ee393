#include "collectors/system/child_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// False where a limit was reached before the end.
bool readToEnd(int pipe, std::size_t maxBytes, Moment deadline, std::string& text) {
  std::array<char, 4096> part{};
  while (true) {
    const Nanoseconds left = deadline - monotonicNow();
    if (left <= Nanoseconds(0)) return false;
    const timespec time{left.count() / kNanosecondsPerSecond, left.count() % kNanosecondsPerSecond};
    pollfd entry{pipe, POLLIN, 0};
    if (ppoll(&entry, 1, &time, nullptr) <= 0) continue;
    const ssize_t size = read(pipe, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    const std::size_t taken = std::min(static_cast<std::size_t>(size), maxBytes - text.size());
    text.append(part.data(), taken);
    if (taken < static_cast<std::size_t>(size)) return false;
  }
}

ChildOutput collect(ChildProcess& child, int pipe, const OutputLimits& limits) {
  const Moment deadline = monotonicNow() + limits.timeout;
  ChildOutput output;
  const bool isWhole = readToEnd(pipe, limits.maxBytes, deadline, output.text);
  const auto status = isWhole ? child.waitFor(deadline - monotonicNow()) : std::nullopt;
  output.isComplete = status.has_value();
  output.status = status ? *status : child.kill();
  return output;
}

}  // namespace

Expected<ChildOutput, ChildError> outputOf(ChildCommand command, const OutputLimits& limits) {
  command.output = ChildStream::pipe();
  auto child = ChildProcess::start(command);
  if (!child) return Unexpected<ChildError>(child.error());
  return collect(*child, child->output().get(), limits);
}

Expected<ChildOutput, ChildError> outputOfFork(const std::function<void(int pipe)>& work, const OutputLimits& limits) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return Unexpected<ChildError>({errno, {}});
  const OwnedDescriptor output(ends[0]);
  OwnedDescriptor input(ends[1]);
  auto child = ChildProcess::fork([&work, &input] {
    work(input.get());
    return 0;
  });
  if (!child) return Unexpected<ChildError>(child.error());
  input.reset();
  return collect(*child, output.get(), limits);
}

}  // namespace tcpscope
