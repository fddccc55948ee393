// The door to other hosts: connect to one, look how it stands with each, try again, disconnect. All calls return at
// once and come from the GUI thread; the outcome of a request is in the states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

enum class HostPhase : std::uint8_t {
  /// A lost one is tried again right now.
  connecting,
  connected,
  /// Disconnected; reconnects automatically.
  waiting,
  /// Disconnected; the next attempt waits for the user.
  stopped
};

/// How a host is observed.
enum class HostMeans : std::uint8_t {
  /// By the agent that is installed there.
  installed,
  /// Through its ss: one sample a second, and less is known.
  throughSs,
  /// By an agent that is copied there for as long as it is connected.
  copied
};

struct ConnectedHost {
  /// What it is called here while it is connected; never used again.
  std::uint32_t number = 0;
  /// As the person wrote it, escaped.
  std::string name;
  HostPhase phase = HostPhase::connected;
  /// Lost: why, and what to do.
  std::string notice;
  /// Until the next try, while waiting.
  std::optional<Milliseconds> retryIn;
  HostMeans means = HostMeans::installed;
  /// Lost because no agent is installed there: the other means may be offered.
  bool lacksAgent = false;
};

enum class ConnectPhase : std::uint8_t { none, connecting, failed };

/// How it stands with the host that is being connected.
struct ConnectState {
  ConnectPhase phase = ConnectPhase::none;
  /// Failed: what happened, why, what to do.
  std::string notice;
  /// Failed because no agent is installed there: the other means may be offered.
  bool lacksAgent = false;
};

class HostPort {
public:
  HostPort() = default;
  HostPort(const HostPort&) = delete;
  HostPort& operator=(const HostPort&) = delete;
  virtual ~HostPort() = default;

  /// What a person would type for ssh, with or without "ssh://". One at a time: what still connects is given up.
  virtual void connectTo(const std::string& typed, HostMeans means) = 0;
  /// Gives up what connects, and forgets what failed.
  virtual void cancel() = 0;
  /// None where nothing connects: it was cancelled, or is among the hosts now.
  [[nodiscard]] virtual ConnectState connecting() = 0;
  /// In the order in which they were connected.
  [[nodiscard]] virtual std::vector<ConnectedHost> hosts() = 0;
  /// A lost one, now, and by these means from now on; may ask for a password.
  virtual void connectAgain(std::uint32_t number, HostMeans means) = 0;
  virtual void disconnect(std::uint32_t number) = 0;
};

}  // namespace tcpscope
