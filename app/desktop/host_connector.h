// The window's door to other hosts: reaches them on the background queue, and lets them join and leave the session of
// this host while it runs.
//
// For the GUI thread, and never waits for a host. Hosts that are connected stay in the session when this goes.
#pragma once

#include <future>

#include "app/desktop/remote_host.h"
#include "app/remote/reconnecting_agent.h"
#include "app/session/live_session.h"
#include "ui/feed/host_port.h"

namespace tcpscope {

/// A host that joined a session through an agent.
struct JoinedHost {
  PlaceId place;
  /// As behind "ssh://".
  std::string address;
  std::shared_ptr<AgentLink> link;
};

/// Waits for the agent's hello and lets the host join. Fails as ReconnectingAgent::open does.
Expected<JoinedHost, SystemError> joinHost(LiveSession& session, PlaceId place, const std::string& address,
                                           std::unique_ptr<StartedAgent> agent, std::shared_ptr<AgentLink> link);

/// Lets a host join that could not be reached, as one that is lost and tried again. Fails as LiveSession::join does.
Expected<JoinedHost, SystemError> joinLostHost(LiveSession& session, PlaceId place, const std::string& address,
                                               AgentMeans means, const SystemError& why,
                                               const std::shared_ptr<AgentLink>& link);

class HostConnector final : public HostPort {
public:
  /// `session` outlives this; `joined` are in it already. `now` is CLOCK_MONOTONIC.
  HostConnector(LiveSession& session, std::vector<JoinedHost> joined, std::function<Moment()> now);
  HostConnector(const HostConnector&) = delete;
  HostConnector& operator=(const HostConnector&) = delete;
  ~HostConnector() override;

  void connectTo(const std::string& typed, HostMeans means) override;
  void cancel() override;
  [[nodiscard]] ConnectState connecting() override;
  [[nodiscard]] std::vector<ConnectedHost> hosts() override;
  void connectAgain(std::uint32_t number, HostMeans means) override;
  void disconnect(std::uint32_t number) override;

  /// Nothing for places that are no host behind ssh, or no longer one of these.
  [[nodiscard]] std::optional<RemoteHost> hostAt(PlaceId place);

private:
  using Outcome = Expected<JoinedHost, SystemError>;
  void takeOutcome();
  [[nodiscard]] ConnectedHost stateOf(const JoinedHost& host) const;
  [[nodiscard]] const JoinedHost* find(std::uint32_t number) const;
  /// Where the place is that host, or a further network namespace of it that can be entered by its name.
  [[nodiscard]] std::optional<std::string> addressAt(PlaceId place, const JoinedHost& host) const;

  LiveSession& m_session;
  std::vector<JoinedHost> m_hosts;
  const std::function<Moment()> m_now;
  std::uint32_t m_nextPlace;
  std::shared_ptr<AgentLink> m_link;
  std::future<Outcome> m_outcome;
  /// Of none, or of one that failed.
  ConnectState m_refusal;
  // Last: its jobs use the rest.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
