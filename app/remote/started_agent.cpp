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

#include "app/remote/agent_copy.h"
#include "app/remote/ss_command.h"
#include "app/remote/ssh_failure.h"

extern char** environ;

namespace tcpscope {

namespace {

/// How long it may take to end once its requests have ended.
constexpr int kTimeoutMs = 1000;

struct Pipe {
  OwnedDescriptor out;
  OwnedDescriptor in;
};

std::optional<Pipe> openPipe(int flags = 0) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | flags) != 0) return std::nullopt;
  return Pipe{OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1])};
}

/// Where the three streams of a program go; -1 for where this one's goes.
struct Streams {
  int input = -1;
  int output = -1;
  int errors = -1;
};

/// With an end of nothing, as programs are started with.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// errno of the spawn, 0 where it worked.
int spawn(std::vector<std::string> words, const Streams& streams, bool isUnattended, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
  if (streams.errors >= 0) posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  std::vector<std::string> variables;
  if (isUnattended) {
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    variables = environmentWithoutPrompts();
  }
  std::vector<char*> environment = pointers(variables);
  std::vector<char*> arguments = pointers(words);
  const int result = posix_spawnp(&process, arguments.front(), &actions, &attributes, arguments.data(),
                                  isUnattended ? environment.data() : environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

/// True when the process ended on its own in time.
bool endsInTime(pid_t process) {
  const OwnedDescriptor watched(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  pollfd entry{watched.get(), POLLIN, 0};
  return watched && poll(&entry, 1, kTimeoutMs) > 0;
}

/// What is run there.
std::vector<std::string> commandFor(AgentMeans means) {
  if (means == AgentMeans::throughSs) return {std::string(ssCommand())};
  if (means == AgentMeans::copied) return {std::string(copyCommand())};
  return {"tcpscope-cli", "agent"};
}

Unexpected<SystemError> notReached(AgentMeans means, const std::string& name, int errorNumber) {
  return Unexpected<SystemError>({attemptOf(means), errorNumber, UntrustedText(name)});
}

}  // namespace

Expected<std::unique_ptr<StartedAgent>, SystemError> StartedAgent::start(std::string name,
                                                                         std::vector<std::string> words) {
  return start(std::move(name), std::move(words), SshManner::inTerminal, AgentMeans::installed);
}

Expected<std::unique_ptr<StartedAgent>, SystemError> StartedAgent::start(std::string name,
                                                                         std::vector<std::string> words,
                                                                         SshManner manner, AgentMeans means) {
  std::unique_ptr<StartedAgent> agent(new StartedAgent(std::move(name), means));
  auto frames = openPipe();
  auto requests = openPipe();
  // Standard error is read only at the end: a process that writes more than fits must not block on it.
  auto errors = manner == SshManner::inTerminal ? Pipe() : openPipe(O_NONBLOCK);
  if (!frames || !requests || !errors) return notReached(means, agent->m_name, errno);
  const Streams streams{requests->out.get(), frames->in.get(), errors->in.get()};
  const int result = spawn(std::move(words), streams, manner == SshManner::alone, agent->m_process);
  if (result != 0) {
    agent->m_process = -1;
    return notReached(means, agent->m_name, result);
  }
  agent->m_frames = std::move(frames->out);
  agent->m_requests = std::move(requests->in);
  agent->m_words = std::move(errors->out);
  return agent;
}

Expected<std::unique_ptr<StartedAgent>, SystemError> StartedAgent::startBySsh(std::string_view address,
                                                                              SshManner manner, AgentMeans means) {
  std::string name(address);
  const auto parts = parseSshAddress(address);
  if (!parts) return notReached(means, name, EINVAL);
  std::vector<std::string> words = sshWords(*parts, manner);
  const std::vector<std::string> command = commandFor(means);
  words.insert(words.end(), command.begin(), command.end());
  return start(std::move(name), std::move(words), manner, means);
}

void StartedAgent::hasSpoken() {
  // What a login says is over, and says nothing of how the connection may end.
  static_cast<void>(said());
}

std::string StartedAgent::said() const {
  // A pipe holds no more.
  std::string text(64U << 10U, '\0');
  const ssize_t count = m_words ? ::read(m_words.get(), text.data(), text.size()) : 0;
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

SystemError StartedAgent::reasonOf(const SystemError& heard) {
  const bool isEnd = heard.errorNumber == EPIPE || heard.errorNumber == ECONNRESET;
  m_requests.reset();
  if (!isEnd || m_process < 0 || !endsInTime(m_process)) return heard;
  int status = 0;
  if (waitpid(m_process, &status, 0) != m_process) return heard;
  m_process = -1;
  SystemError reason = heard;
  if (WIFEXITED(status)) reason.errorNumber = errnoOfSsh(WEXITSTATUS(status), said()).value_or(heard.errorNumber);
  return reason;
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
