// An agent behind ssh that is restarted whenever it disconnects: the host stays in the session, its connections are
// known again when it is back.
//
// A lost agent is a gap and a turn of the place (PlaceTurn); a rebooted host appears as another host, since its cookies
// name other sockets. Clocks are related again for every agent. What needs the user (a password, a new host key) stops
// the attempts until the user requests the next one: an automatic attempt never prompts.
#pragma once

#include <memory>
#include <string>

#include "app/remote/agent_collector.h"
#include "app/remote/agent_link.h"
#include "app/remote/retry_pauses.h"
#include "app/remote/started_agent.h"

namespace tcpscope {

class ReconnectingAgent final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"ssh",
                                                     "The sockets of another host, through its agent behind ssh"};

  /// Waits for the hello of an agent that startBySsh() gave for `address`. Fails as AgentCollector::open does, and with
  /// ECANCELED where the link is given up.
  static Expected<std::unique_ptr<ReconnectingAgent>, SystemError> open(std::string address,
                                                                        std::unique_ptr<StartedAgent> agent,
                                                                        PlaceId place, Moment deadline,
                                                                        std::shared_ptr<AgentLink> link);

  /// The same for a host that could not be reached at first, and why: it is lost from the beginning, and is called by
  /// its address until it is reached.
  static std::unique_ptr<ReconnectingAgent> openLost(std::string address, AgentMeans means, PlaceId place,
                                                     SystemError why, std::shared_ptr<AgentLink> link);

  /// The place as its agent named it first, with the network namespace of the address, and the rest of the address
  /// behind that where it is another: names that hosts give themselves are not unique.
  [[nodiscard]] const Place& place() const { return m_place; }
  /// Its wall clock when its first agent was heard, at that moment of ours; absent of a host that was never reached.
  [[nodiscard]] const std::optional<ClockPair>& clock() const { return m_clock; }
  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;

private:
  ReconnectingAgent(std::string address, PlaceId id, std::shared_ptr<AgentLink> link);
  Expected<void, SystemError> hear(std::unique_ptr<StartedAgent> agent, Moment deadline,
                                   const AgentInterrupt& interrupt);
  /// As it names itself now.
  [[nodiscard]] Place placeNow() const;
  [[nodiscard]] SystemError whyLost();
  /// False where the stop came first.
  bool reachAgain(const std::stop_token& stop, RequestSource& requests);
  Expected<void, SystemError> tryOnce(SshManner manner, const std::stop_token& stop, RequestSource& requests);
  /// Until the next attempt is due, requested or cancelled.
  void wait(std::optional<Moment> until, const std::stop_token& stop, RequestSource& requests) const;
  void reportLost(const std::stop_token& stop, RequestSource& requests, const ObservationSink& sink) const;
  void reportReturn(const std::stop_token& stop, RequestSource& requests, const ObservationSink& sink);

  std::string m_address;
  AgentMeans m_means = AgentMeans::installed;
  PlaceId m_id;
  std::shared_ptr<AgentLink> m_link;
  Place m_place;
  std::optional<ClockPair> m_clock;
  /// Of one that was not reached yet.
  SystemError m_whyNever;
  RetryPauses m_pauses;
  Moment m_connectedAt;
  /// Null while it is lost, as the next.
  std::unique_ptr<StartedAgent> m_agent;
  // Behind what it hears.
  std::unique_ptr<AgentCollector> m_collector;
};

}  // namespace tcpscope
