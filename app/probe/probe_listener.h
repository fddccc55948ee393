// The end of a probe that counts: waits for a sender on a TCP port, and counts what arrives on the UDP port of the same
// number.
#pragma once

#include <functional>

#include "app/probe/probe_control.h"
#include "core/model/endpoint.h"

namespace tcpscope {

/// What was counted for one sender.
struct ServedProbe {
  Endpoint sender;
  std::vector<ProbeRunPlan> runs;
};

class ProbeListener {
public:
  /// On all addresses of this host; port 0 is any that is free. Fails where the port is taken.
  static Expected<ProbeListener, ProbeError> open(std::uint16_t port, int wakeDescriptor);

  [[nodiscard]] std::uint16_t port() const { return m_port; }
  /// The next sender, from its connection to its end. Waits for it until the moment at the latest (`silent`), or
  /// without one for ever.
  Expected<ServedProbe, ProbeError> serveOne(std::optional<Moment> until = std::nullopt);

private:
  ProbeListener(OwnedDescriptor socket, std::uint16_t port, int wakeDescriptor)
      : m_socket(std::move(socket)), m_port(port), m_wakeDescriptor(wakeDescriptor) {}

  OwnedDescriptor m_socket;
  std::uint16_t m_port;
  int m_wakeDescriptor;
};

}  // namespace tcpscope
