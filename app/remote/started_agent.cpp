#include "app/remote/started_agent.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

extern char** environ;

namespace tcpscope {

namespace {

/// How long it may take to end once nobody asks it any more.
constexpr int kPatienceMs = 1000;

bool isAddress(std::string_view text) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@:[]%";
  return !text.empty() && text.size() <= 255 && text.front() != '-' &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

struct Pipe {
  OwnedDescriptor out;
  OwnedDescriptor in;
};

std::optional<Pipe> openPipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1])};
}

/// errno of the spawn, 0 where it worked.
int spawn(std::vector<std::string> words, int input, int output, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int result = posix_spawnp(&process, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

/// True when the process ended by itself in time.
bool endsInTime(pid_t process) {
  const OwnedDescriptor watched(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  pollfd entry{watched.get(), POLLIN, 0};
  return watched && poll(&entry, 1, kPatienceMs) > 0;
}

Unexpected<SystemError> notReached(const std::string& name, int errorNumber) {
  return Unexpected<SystemError>({SystemAttempt::reachAgent, errorNumber, UntrustedText(name)});
}

}  // namespace

std::optional<std::string_view> sshAddress(std::string_view from) {
  constexpr std::string_view kScheme = "ssh://";
  if (!from.starts_with(kScheme)) return std::nullopt;
  return from.substr(kScheme.size());
}

Expected<std::unique_ptr<StartedAgent>, SystemError> StartedAgent::start(std::string name,
                                                                         std::vector<std::string> words) {
  std::unique_ptr<StartedAgent> agent(new StartedAgent(std::move(name)));
  auto frames = openPipe();
  auto requests = openPipe();
  if (!frames || !requests) return notReached(agent->m_name, errno);
  const int result = spawn(std::move(words), requests->out.get(), frames->in.get(), agent->m_process);
  if (result != 0) {
    agent->m_process = -1;
    return notReached(agent->m_name, result);
  }
  agent->m_frames = std::move(frames->out);
  agent->m_requests = std::move(requests->in);
  return agent;
}

Expected<std::unique_ptr<StartedAgent>, SystemError> StartedAgent::startBySsh(std::string_view address) {
  std::string name(address);
  if (!isAddress(address)) return notReached(name, EINVAL);
  // The scheme lets ssh take the port apart itself.
  std::vector<std::string> words = {"ssh", "-T", "--", "ssh://" + name, "tcpscope-cli", "agent"};
  return start(std::move(name), std::move(words));
}

StartedAgent::~StartedAgent() {
  m_requests.reset();
  m_frames.reset();
  if (m_process < 0) return;
  if (!endsInTime(m_process)) ::kill(m_process, SIGKILL);
  while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace tcpscope
