#include "app/remote/started_agent.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "app/remote/agent_copy.h"
#include "app/remote/ss_command.h"
#include "app/remote/ssh_failure.h"

namespace tcpscope {

namespace {

/// How long it may take to end once its requests have ended.
constexpr Milliseconds kEndTimeout{1000};

/// What is run there.
std::vector<std::string> commandFor(AgentMeans means, bool isOfEveryNamespace) {
  if (means == AgentMeans::throughSs) return {std::string(ssCommand())};
  if (means == AgentMeans::copied) return {copyCommand(isOfEveryNamespace)};
  std::vector<std::string> command = {"tcpscope-cli", "agent"};
  if (isOfEveryNamespace) command.emplace_back("--netns=all");
  return command;
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
  ChildCommand command;
  command.arguments = std::move(words);
  command.input = ChildStream::pipe();
  command.output = ChildStream::pipe();
  // Not read before the end: an agent that writes more than fits must not wait for that.
  if (manner != SshManner::inTerminal) command.errors = ChildStream::nonBlockingPipe();
  if (manner == SshManner::alone) {
    command.hasOwnSession = true;
    command.environment = {kNoAskpass};
  }
  auto process = ChildProcess::start(command);
  if (!process) return notReached(means, name, process.error().errorNumber);
  return std::unique_ptr<StartedAgent>(new StartedAgent(std::move(name), means, std::move(*process)));
}

Expected<std::unique_ptr<StartedAgent>, SystemError> StartedAgent::startBySsh(std::string_view address,
                                                                              SshManner manner, AgentMeans means) {
  std::string name(address);
  const auto parts = parseSshAddress(address);
  if (!parts) return notReached(means, name, EINVAL);
  // ss shows the namespace that it runs in.
  if (means == AgentMeans::throughSs && parts->isOfEveryNamespace()) return notReached(means, name, ENOTSUP);
  std::vector<std::string> words = sshWords(*parts, manner);
  // In place of the shell that reads it; ip-netns(8) starts programs only.
  if (means != AgentMeans::installed && !parts->entersNamespace()) words.emplace_back("exec");
  const std::vector<std::string> command = commandFor(means, parts->isOfEveryNamespace());
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
  const ssize_t count = m_process.errors() ? ::read(m_process.errors().get(), text.data(), text.size()) : 0;
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

SystemError StartedAgent::reasonOf(const SystemError& heard) {
  const bool isEnd = heard.errorNumber == EPIPE || heard.errorNumber == ECONNRESET;
  m_process.input().reset();
  const auto status = isEnd ? m_process.waitFor(kEndTimeout) : std::nullopt;
  SystemError reason = heard;
  if (const auto code = status ? status->code() : std::nullopt) {
    reason.errorNumber = errnoOfSsh(*code, said()).value_or(heard.errorNumber);
  }
  return reason;
}

StartedAgent::~StartedAgent() {
  m_process.input().reset();
  m_process.output().reset();
  m_process.waitFor(kEndTimeout);
}

}  // namespace tcpscope
