#include "collectors/system/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <string_view>
#include <utility>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

constexpr int kStandardStreams = 3;
constexpr Nanoseconds kKillTimeout = std::chrono::seconds(1);

/// Actions and attributes of posix_spawn(3). Each call returns 0 or an errno, and the first error is kept.
class SpawnSettings {
public:
  explicit SpawnSettings(int descriptorCount) : m_firstFree(kStandardStreams + descriptorCount) {
    posix_spawn_file_actions_init(&m_actions);
    posix_spawnattr_init(&m_attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawnattr_destroy(&m_attributes);
    posix_spawn_file_actions_destroy(&m_actions);
  }

  void openNull(int target) { note(posix_spawn_file_actions_addopen(&m_actions, target, "/dev/null", O_RDWR, 0)); }

  void pass(int descriptor, int target) {
    int source = descriptor;
    if (source < m_firstFree && source != target) {
      // An earlier action may have replaced it by then.
      OwnedDescriptor moved(fcntl(descriptor, F_DUPFD_CLOEXEC, m_firstFree));
      if (!moved) return note(errno);
      source = moved.get();
      m_moved.push_back(std::move(moved));
    }
    note(posix_spawn_file_actions_adddup2(&m_actions, source, target));
  }

  void closeOthers() { note(posix_spawn_file_actions_addclosefrom_np(&m_actions, m_firstFree)); }

  void setFlags(bool hasOwnSession, bool hasDefaultSignals) {
    int flags = hasOwnSession ? POSIX_SPAWN_SETSID : 0;
    if (hasDefaultSignals) {
      flags |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
      sigset_t signals;
      sigemptyset(&signals);
      note(posix_spawnattr_setsigmask(&m_attributes, &signals));
      sigfillset(&signals);
      note(posix_spawnattr_setsigdefault(&m_attributes, &signals));
    }
    note(posix_spawnattr_setflags(&m_attributes, static_cast<short>(flags)));
  }

  Expected<pid_t, int> spawn(const char* program, char* const* arguments, char* const* environment) {
    pid_t process = -1;
    if (m_error == 0) {
      m_error = posix_spawnp(&process, program, &m_actions, &m_attributes, arguments, environment);
    }
    if (m_error != 0) return Unexpected<int>(m_error);
    return process;
  }

private:
  void note(int error) {
    if (m_error == 0) m_error = error;
  }

  posix_spawn_file_actions_t m_actions;
  posix_spawnattr_t m_attributes;
  /// Above those that the child has.
  int m_firstFree;
  std::vector<OwnedDescriptor> m_moved;
  int m_error = 0;
};

/// As execve(2) takes them: with a null pointer at the end.
std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environmentWith(const std::vector<std::string>& added) {
  const auto isReplaced = [&added](std::string_view variable) {
    const std::string_view name = variable.substr(0, variable.find('=') + 1);
    return std::any_of(added.begin(), added.end(), [name](const auto& other) { return other.starts_with(name); });
  };
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!isReplaced(*variable)) variables.emplace_back(*variable);
  }
  variables.insert(variables.end(), added.begin(), added.end());
  return variables;
}

/// Without unwinding into the caller, of which the child has a copy.
[[noreturn]] void exitWith(const std::function<int()>& work) noexcept {
  _exit(work());
}

}  // namespace

ChildStream ChildStream::nonBlockingPipe() {
  return {Kind::pipe, O_NONBLOCK};
}

Expected<ChildProcess, ChildError> ChildProcess::start(const ChildCommand& command) {
  std::vector<std::string> words = command.arguments;
  const std::string& program = command.program.empty() ? words.front() : command.program;
  const auto failure = [&program](int number) { return Unexpected<ChildError>({number, UntrustedText(program)}); };

  ChildProcess child;
  SpawnSettings settings(static_cast<int>(command.descriptors.size()));
  std::array<OwnedDescriptor, kStandardStreams> theirEnds;
  const std::array<const ChildStream*, kStandardStreams> streams = {&command.input, &command.output, &command.errors};
  for (int target = 0; target < kStandardStreams; ++target) {
    const auto index = static_cast<std::size_t>(target);
    const ChildStream& stream = *streams.at(index);
    if (stream.kind() == ChildStream::Kind::null) settings.openNull(target);
    if (stream.kind() == ChildStream::Kind::descriptor) settings.pass(stream.descriptor(), target);
    if (stream.kind() != ChildStream::Kind::pipe) continue;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | stream.pipeFlags()) != 0) return failure(errno);
    const bool reads = target == STDIN_FILENO;
    theirEnds.at(index) = OwnedDescriptor(reads ? ends[0] : ends[1]);
    child.m_pipes.at(index) = OwnedDescriptor(reads ? ends[1] : ends[0]);
    settings.pass(theirEnds.at(index).get(), target);
  }
  int target = kStandardStreams;
  for (const int descriptor : command.descriptors) settings.pass(descriptor, target++);
  settings.closeOthers();
  settings.setFlags(command.hasOwnSession, command.hasDefaultSignals);

  std::vector<std::string> variables = environmentWith(command.environment);
  const auto process = settings.spawn(program.c_str(), pointersTo(words).data(), pointersTo(variables).data());
  if (!process) return failure(process.error());
  child.m_process = *process;
  return child;
}

Expected<ChildProcess, ChildError> ChildProcess::fork(const std::function<int()>& work) {
  ChildProcess child;
  child.m_process = ::fork();
  if (child.m_process < 0) return Unexpected<ChildError>({errno, {}});
  if (child.m_process == 0) exitWith(work);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_process(std::exchange(other.m_process, -1)), m_status(other.m_status), m_pipes(std::move(other.m_pipes)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(m_process, other.m_process);
  std::swap(m_status, other.m_status);
  m_pipes.swap(other.m_pipes);
  return *this;
}

ChildProcess::~ChildProcess() {
  kill();
}

void ChildProcess::signal(int number) const {
  if (m_process > 0) ::kill(m_process, number);
}

std::optional<ExitStatus> ChildProcess::reap(int options) {
  if (m_process < 0) return m_status;
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(m_process, &status, options);
  } while (ended < 0 && errno == EINTR);
  if (ended == 0) return std::nullopt;
  m_status = ended > 0 ? ExitStatus(status) : ExitStatus();
  m_process = -1;
  return m_status;
}

ExitStatus ChildProcess::wait() {
  return *reap(0);
}

std::optional<ExitStatus> ChildProcess::waitFor(Nanoseconds timeout) {
  const Moment deadline = monotonicNow() + timeout;
  if (auto status = reap(WNOHANG)) return status;
  const OwnedDescriptor end(static_cast<int>(syscall(SYS_pidfd_open, m_process, 0)));
  while (true) {
    const Nanoseconds left = std::max(deadline - monotonicNow(), Nanoseconds(0));
    // Before Linux 5.3 there is no pidfd, and poll() only pauses.
    const Nanoseconds pause = end ? left : std::min<Nanoseconds>(left, Milliseconds(5));
    const timespec time{pause.count() / kNanosecondsPerSecond, pause.count() % kNanosecondsPerSecond};
    pollfd entry{end.get(), POLLIN, 0};
    ppoll(&entry, 1, &time, nullptr);
    auto status = reap(WNOHANG);
    if (status || left == Nanoseconds(0)) return status;
  }
}

ExitStatus ChildProcess::kill() {
  signal(SIGKILL);
  return waitFor(kKillTimeout).value_or(ExitStatus());
}

pid_t ChildProcess::release() {
  return std::exchange(m_process, -1);
}

}  // namespace tcpscope
