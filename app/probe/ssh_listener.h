// A listener that is started on another host through the user's own ssh, and ends with the measurement.
#pragma once

#include <string>
#include <string_view>

#include "app/probe/probe_target.h"
#include "collectors/system/child_process.h"
#include "core/model/endpoint.h"

namespace tcpscope {

/// What a listener prints first: its port and, in a session of ssh, the address at which its host was reached.
inline constexpr std::string_view kListenerPortWord = "port ";
inline constexpr std::string_view kListenerAddressWord = "address ";

class SshListener {
public:
  /// Waits a minute at most: a password may have to be typed. Or why there is none, in words, escaped for a terminal.
  /// `wakeDescriptor`: readable once all waiting is to end; negative where there is none.
  static Expected<SshListener, std::string> start(const ProbeTarget& target, int wakeDescriptor);

  /// Where packets go, as that host says it was reached.
  [[nodiscard]] const Endpoint& endpoint() const { return m_endpoint; }

private:
  SshListener(ChildProcess ssh, const Endpoint& endpoint) : m_ssh(std::move(ssh)), m_endpoint(endpoint) {}

  ChildProcess m_ssh;
  Endpoint m_endpoint;
};

}  // namespace tcpscope
