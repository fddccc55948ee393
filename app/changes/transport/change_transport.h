// Transports of changes: tcpscope-helper on the system bus, or `tcpscope-cli` as another process, on this host (with
// sudo or pkexec) or behind ssh. Each carries a ChangeRequest one way and a ChangeReport the other.
#pragma once

#include <functional>
#include <memory>

#include "app/changes/transport/command_route.h"
#include "app/changes/transport/remote_command.h"
#include "app/remote/command_line_program.h"
#include "core/changes/change_report.h"

namespace tcpscope {

using ChangeResult = Expected<ChangeReport, ChangeError>;

/// Every call blocks: for a background queue.
class ChangeTransport {
public:
  ChangeTransport() = default;
  ChangeTransport(const ChangeTransport&) = delete;
  ChangeTransport& operator=(const ChangeTransport&) = delete;
  virtual ~ChangeTransport() = default;

  /// Changes nothing. Of socket options: their current values.
  virtual ChangeResult preview(const ChangeRequest& request, const std::stop_token& stop) = 0;
  virtual ChangeResult apply(const ChangeRequest& request, const std::stop_token& stop) = 0;
  /// `change` of sysctls; of socket options the trial on the connection of `request`.
  virtual ChangeResult confirm(const ChangeRequest& request, std::uint32_t change, const std::stop_token& stop) = 0;
  /// `change` of sysctls; of socket options all changes of the connection of `request`.
  virtual ChangeResult revert(const ChangeRequest& request, std::uint32_t change, const std::stop_token& stop) = 0;
  /// The journal.
  virtual ChangeResult list(const std::stop_token& stop) = 0;
};
using ChangeTransportPointer = std::shared_ptr<ChangeTransport>;

struct TransportParts {
  /// tcpscope-cli.
  std::string program;
  RunCommand run;
  /// Connects to the helper; null without one.
  std::function<ChangeTransportPointer()> openHelper{};
  /// For hosts behind ssh.
  RunSsh runSsh{};
  /// Before sudo or pkexec start the program.
  CheckProgram check = [](const std::string& named) { return programForRoot(named); };
};

/// The transport to a place on this host, or a sentence why there is none. Blocks.
Expected<ChangeTransportPointer, std::string> openTransport(const Place& place, ChangeKind kind,
                                                            const TransportParts& parts);

ChangeTransportPointer commandLineTransport(ChangeRoute route, RunCommand run);
/// The command line on the host behind `address`, by ssh.
ChangeTransportPointer sshTransport(const std::string& address, const Place& place, SshManner manner, RunSsh run);
/// tcpscope-helper; null if the system bus does not have it.
ChangeTransportPointer openHelperTransport();
/// The same; null for root, who needs no helper.
ChangeTransportPointer openHelperTransportUnlessRoot();

}  // namespace tcpscope
