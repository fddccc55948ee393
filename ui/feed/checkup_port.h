// The door to the check-up of this host, and of the hosts behind ssh. All calls return at once and come from the GUI
// thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/host/host_checkup.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// The connection whose program and path belong to the check-up.
struct CheckupSubject {
  Place place;
  std::optional<std::uint32_t> pid;
  IpAddress remote;
};

struct HostCheckupState {
  std::vector<CheckRow> rows;
  /// What was counted meanwhile is in the rows.
  Nanoseconds observedFor{0};
  /// The subject's peer, where it is reached from this host's own network namespace.
  std::optional<IpAddress> reachable{};
  bool isProbing = false;
  /// Why the path could not be probed; empty otherwise.
  std::string probeError{};
  /// The host that is checked, for people; empty for this one.
  std::string host{};
  /// Another host is being checked, which takes some seconds.
  bool isChecking = false;
  /// Why another host could not be checked; empty otherwise.
  std::string notice{};
  /// Checks of another host that are not known here, as a later version's.
  std::size_t leftOut = 0;
};

class CheckupPort {
public:
  CheckupPort() = default;
  CheckupPort(const CheckupPort&) = delete;
  CheckupPort& operator=(const CheckupPort&) = delete;
  virtual ~CheckupPort() = default;

  /// Reads this host once more, and the subject's program where it runs here; what is counted counts from the first
  /// reading on. The host of a subject behind ssh is checked there, once until restart().
  virtual void poll(const std::optional<CheckupSubject>& subject) = 0;
  /// Sends probes to this host, from the subject's, which may take half a minute; their results belong to the state
  /// while the subject's peer is this host.
  virtual void probe(const IpAddress& remote) = 0;
  /// Counts from the next reading on; checks another host again.
  virtual void restart() = 0;
  /// Null until this host was read twice; of another one never.
  [[nodiscard]] virtual std::shared_ptr<const HostCheckupState> state() = 0;
};

}  // namespace tcpscope
