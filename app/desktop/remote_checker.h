// The check-up of a host behind ssh, for the window: made there once, and again on request, since a login a second
// would fill its logs. Of the GUI thread; waits for nothing.
#pragma once

#include <future>
#include <optional>
#include <string>

#include "app/desktop/checkup_process.h"
#include "app/desktop/remote_host.h"
#include "app/session/background_queue.h"
#include "ui/feed/checkup_port.h"

namespace tcpscope {

class RemoteChecker {
public:
  explicit RemoteChecker(CheckRemoteHost check) : m_check(std::move(check)) {}

  /// This host is looked at now, for a connection of it. What is known of it stays until another one is.
  void poll(RemoteHost host, const CheckupSubject& subject);
  /// Checks the host of the last poll once more; with a peer, the path to it, too. Not while a check runs.
  void check(const std::optional<IpAddress>& probed);
  /// Of the last poll's host and connection.
  [[nodiscard]] HostCheckupState state();

private:
  struct Known {
    RemoteHost host;
    IpAddress peer;
    std::optional<std::uint32_t> pid;
    std::optional<Expected<HostCheckup, std::string>> checked{};
    /// The process and the path that are in it.
    CheckupOrder order{};
    std::string probeError{};
  };

  void take();

  CheckRemoteHost m_check;
  std::optional<Known> m_known;
  std::future<Expected<HostCheckup, std::string>> m_checking;
  /// Of the check that runs: the host, and what was asked of it.
  std::string m_address;
  CheckupOrder m_order;
  // Last: its jobs use the rest.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
