// An agent as a program of its own: on another host behind the user's own ssh, whose business keys, jump hosts and
// passwords are, or here with rights that the caller has not.
//
// Nothing is installed there: `tcpscope-cli` must be in the path of the user at that host. The agent and what started
// it end with the object.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/remote/agent_collector.h"

namespace tcpscope {

class StartedAgent {
public:
  /// `words` are a program, found as a shell finds it, and its arguments: it has to become an agent between its
  /// standard input and output. `name` is for messages. Fails where it cannot be started; whether an agent answers is
  /// told by the hello.
  static Expected<std::unique_ptr<StartedAgent>, SystemError> start(std::string name, std::vector<std::string> words);
  /// `address` is what stands behind "ssh://": HOST, USER@HOST or HOST:PORT. Fails where it can be none of these, too.
  static Expected<std::unique_ptr<StartedAgent>, SystemError> startBySsh(std::string_view address);
  StartedAgent(const StartedAgent&) = delete;
  StartedAgent& operator=(const StartedAgent&) = delete;
  ~StartedAgent();

  /// They stay this object's.
  [[nodiscard]] AgentPipes pipes() const { return {m_name, m_frames.get(), m_requests.get()}; }

private:
  explicit StartedAgent(std::string name) : m_name(std::move(name)) {}

  std::string m_name;
  OwnedDescriptor m_frames;
  OwnedDescriptor m_requests;
  pid_t m_process = -1;
};

/// What stands behind "ssh://" in this text; nothing where it begins otherwise.
std::optional<std::string_view> sshAddress(std::string_view from);

}  // namespace tcpscope
