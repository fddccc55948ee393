// An agent on another host behind the user's own ssh: keys, jump hosts and passwords are ssh's business.
//
// Nothing is installed there: `tcpscope-cli` must be in the path of the user at that host. The agent and its ssh end
// with the object.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string_view>

#include "app/remote/agent_collector.h"

namespace tcpscope {

class SshAgent {
public:
  /// `address` is what stands behind "ssh://": HOST, USER@HOST or HOST:PORT. Fails where it can be none of these, or
  /// where ssh cannot be started; whether the host answers is told by the hello.
  static Expected<std::unique_ptr<SshAgent>, SystemError> start(std::string_view address);
  SshAgent(const SshAgent&) = delete;
  SshAgent& operator=(const SshAgent&) = delete;
  ~SshAgent();

  /// They stay this object's.
  [[nodiscard]] AgentPipes pipes() const { return {m_name, m_frames.get(), m_requests.get()}; }

private:
  explicit SshAgent(std::string_view address) : m_name(address) {}

  std::string m_name;
  OwnedDescriptor m_frames;
  OwnedDescriptor m_requests;
  pid_t m_process = -1;
};

/// What stands behind "ssh://" in this text; nothing where it begins otherwise.
std::optional<std::string_view> sshAddress(std::string_view from);

}  // namespace tcpscope
