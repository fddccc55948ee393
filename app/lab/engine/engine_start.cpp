#include "app/lab/engine/engine_start.h"

#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "app/lab/engine/engine_message.h"

namespace tcpscope::lab {

namespace {

constexpr int kTimeoutMilliseconds = 5000;

/// Exact descriptors and signals for the child.
class SpawnPlan {
public:
  explicit SpawnPlan(int channel) {
    posix_spawn_file_actions_init(&m_files);
    posix_spawn_file_actions_adddup2(&m_files, channel, kEngineChannel);
    posix_spawn_file_actions_addclosefrom_np(&m_files, kEngineChannel + 1);
    posix_spawnattr_init(&m_attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&m_attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&m_attributes, &signals);
    posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&m_files);
    posix_spawnattr_destroy(&m_attributes);
  }

  Expected<pid_t, int> start() {
    char name[] = "tcpscope-lab";
    char argument[16] = {};
    std::string_view(kEngineArgument).copy(argument, sizeof argument - 1);
    std::array<char*, 3> arguments = {name, argument, nullptr};
    pid_t process = -1;
    const int failed = posix_spawn(&process, "/proc/self/exe", &m_files, &m_attributes, arguments.data(), environ);
    if (failed != 0) return tl::unexpected(failed);
    return process;
  }

private:
  posix_spawn_file_actions_t m_files;
  posix_spawnattr_t m_attributes;
};

}  // namespace

Expected<StartedEngine, int> startEngine() {
  auto channel = openMessageChannel();
  if (!channel) return tl::unexpected(channel.error());
  const auto process = SpawnPlan(channel->second.get()).start();
  if (!process) return tl::unexpected(process.error());
  StartedEngine engine;
  engine.process = *process;
  engine.channel = std::move(channel->first);
  return engine;
}

void awaitEngineEnd(pid_t process) {
  const OwnedDescriptor ends(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  pollfd wait{ends.get(), POLLIN, 0};
  if (ends && poll(&wait, 1, kTimeoutMilliseconds) == 0) kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace tcpscope::lab
