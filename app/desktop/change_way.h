// The ways by which the desktop changes a host: tcpscope-helper on the system bus, which asks for a password itself, or
// the command line in the place, with the rights that it takes. Both answer with the same documents.
#pragma once

#include <functional>
#include <memory>

#include "app/desktop/change_at_host.h"
#include "app/desktop/change_command.h"
#include "ui/feed/change_port.h"

namespace tcpscope {

/// A wish as it was shown to its user.
struct ShownWish {
  HostChangeRequest wish;
  std::vector<HostChangeRow> rows;
  bool persist = false;
  /// Of sysctls: undone after so long unless it is kept.
  std::chrono::seconds revertAfter{60};
};

/// Every call blocks: for the background queue.
class ChangeWay {
public:
  ChangeWay() = default;
  ChangeWay(const ChangeWay&) = delete;
  ChangeWay& operator=(const ChangeWay&) = delete;
  virtual ~ChangeWay() = default;

  virtual CommandAnswer look(const HostChangeRequest& wish, const std::stop_token& stop) = 0;
  /// Only if everything is still as it was shown.
  virtual CommandAnswer apply(const ShownWish& shown, const std::stop_token& stop) = 0;
  virtual CommandAnswer keep(std::uint32_t change, const std::stop_token& stop) = 0;
  virtual CommandAnswer undo(const HostChangeRequest& wish, std::uint32_t change, const std::stop_token& stop) = 0;
  /// The changes of the place that its journal has.
  virtual CommandAnswer list(const std::stop_token& stop) = 0;
};
using ChangeWayPointer = std::shared_ptr<ChangeWay>;

struct ChangeMeans {
  /// tcpscope-cli.
  std::string program;
  RunCommand run = runCommand;
  /// The helper, for whoever needs it and has it; null for nobody.
  std::function<ChangeWayPointer()> openHelper;
  /// For hosts behind ssh.
  RunSsh runSsh = tcpscope::runSsh;
};

/// The way to change what the wish names, or why there is none, as a sentence. Blocks.
Expected<ChangeWayPointer, std::string> changeWayTo(const HostChangeRequest& wish, const ChangeMeans& means);

ChangeWayPointer commandLineWay(ChangeRoute route, RunCommand run);
/// The command line at the host behind `address`, by ssh.
ChangeWayPointer wayToHost(const std::string& address, const Place& place, SshManner manner, RunSsh run);
/// By tcpscope-helper, where the system bus has it; null where it has not.
ChangeWayPointer openHelperWay();
/// The same where there are no rights of one's own: root needs nobody to ask.
ChangeWayPointer openHelperWayUnlessRoot();

}  // namespace tcpscope
