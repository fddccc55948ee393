// What the window looks at when no demo runs and no file is open: this host, and other hosts that were asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/host_connector.h"
#include "app/session/local_place.h"
#include "core/session/session_port.h"

namespace tcpscope {

struct HomeRequest {
  /// "ssh://HOST", "ssh://USER@HOST:PORT", each looked at by an agent there.
  std::vector<std::string> hosts;
  AgentMeans means = AgentMeans::installed;
  /// The words that start an agent on this host with more rights than this process has; empty to look without one.
  std::vector<std::string> agentWithRights;
  /// Of this host, where it is observed without an agent: as findLocalPlace().
  std::optional<std::string> networkNamespace{};
  /// tcpscope-cli, for packets in other network namespaces; empty where they are not captured.
  std::string commandLine{};
  /// Takes what connections show of their paths; null without a path history.
  TakePathSightings paths{};
};

struct HomeSession {
  /// It outlives the session, which hears it; null where this host is looked at without one.
  std::unique_ptr<StartedAgent> agentWithRights;
  std::unique_ptr<SessionPort> session;
  /// The other hosts in it; those that could not be reached are lost ones.
  std::vector<JoinedHost> hosts;
  /// What of this host may not be seen; empty where nothing is missing.
  std::string notice;
};

/// Blocks until every agent has spoken or failed, a minute at most for each: a password may have to be typed. A host
/// that cannot be reached is no failure; this host is, and what can be no address.
Expected<HomeSession, SystemError> openHome(const HomeRequest& request);

/// The words that start `program agent` with root's rights, asking for a password where one is needed: pkexec in a
/// window of the desktop, sudo in the terminal. Root needs neither. A sentence where neither is installed, or where
/// others may write to the program (programForRoot).
Expected<std::vector<std::string>, std::string> agentAsRoot(const std::string& program);

}  // namespace tcpscope
