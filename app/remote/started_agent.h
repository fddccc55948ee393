// An agent as a program of its own: on another host behind the user's own ssh, whose business keys, jump hosts and
// passwords are, or here with rights that the caller has not.
//
// Nothing is installed there: `tcpscope-cli` must be in the path of the user at that host, unless a person chose other
// means (agent_means.h). The agent and what started
// it end with the object.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/remote/agent_collector.h"
#include "app/remote/ssh_command.h"
#include "collectors/system/child_process.h"

namespace tcpscope {

class StartedAgent {
public:
  /// `words` are a program, found as a shell finds it, and its arguments: it has to become an agent between its
  /// standard input and output. `name` is for messages. Fails where it cannot be started; the hello shows whether an
  /// agent answers.
  static Expected<std::unique_ptr<StartedAgent>, SystemError> start(std::string name, std::vector<std::string> words);
  /// `address` is what stands behind "ssh://". Fails where it cannot be one (isSshAddress), too. A host that is silent
  /// for a quarter of a minute is given up by ssh.
  static Expected<std::unique_ptr<StartedAgent>, SystemError> startBySsh(std::string_view address,
                                                                         SshManner manner = SshManner::inTerminal,
                                                                         AgentMeans means = AgentMeans::installed);
  StartedAgent(const StartedAgent&) = delete;
  StartedAgent& operator=(const StartedAgent&) = delete;
  ~StartedAgent();

  /// They stay this object's.
  [[nodiscard]] AgentPipes pipes() const {
    return {m_name, m_process.output().get(), m_process.input().get(), m_means};
  }
  [[nodiscard]] AgentMeans means() const { return m_means; }

  /// It has said its hello: what came on standard error until now is forgotten.
  void hasSpoken();
  /// The error behind the one with which its frames ended (EPIPE, ECONNRESET), where its exit code and standard error
  /// give it (ssh_failure.h); else the same. Waits a second at most for its end; sends the agent no more requests.
  SystemError reasonOf(const SystemError& heard);

private:
  StartedAgent(std::string name, AgentMeans means, ChildProcess process)
      : m_name(std::move(name)), m_means(means), m_process(std::move(process)) {}

  static Expected<std::unique_ptr<StartedAgent>, SystemError> start(std::string name, std::vector<std::string> words,
                                                                    SshManner manner, AgentMeans means);
  [[nodiscard]] std::string said() const;

  std::string m_name;
  AgentMeans m_means;
  /// Takes requests and writes frames; standard error is a pipe where what it says is kept.
  ChildProcess m_process;
};

}  // namespace tcpscope
