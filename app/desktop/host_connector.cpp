#include "app/desktop/host_connector.h"

#include <algorithm>
#include <cerrno>

#include "app/desktop/background_work.h"
#include "app/remote/ssh_address.h"
#include "app/remote/ssh_capture.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/present/text/error_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

/// Beyond those of the start and of demos, before those of files.
constexpr std::uint32_t kFirstJoinedPlace = 500'000;
/// A password may have to be typed.
constexpr Nanoseconds kTimeout = std::chrono::minutes(1);

std::string withoutSpaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

HostPhase phaseOf(LinkPhase phase) {
  switch (phase) {
    case LinkPhase::connecting:
      return HostPhase::connecting;
    case LinkPhase::connected:
      return HostPhase::connected;
    case LinkPhase::waiting:
      return HostPhase::waiting;
    case LinkPhase::stopped:
      break;
  }
  return HostPhase::stopped;
}

AgentMeans agentMeansOf(HostMeans means) {
  switch (means) {
    case HostMeans::installed:
      break;
    case HostMeans::throughSs:
      return AgentMeans::throughSs;
    case HostMeans::copied:
      return AgentMeans::copied;
  }
  return AgentMeans::installed;
}

HostMeans hostMeansOf(AgentMeans means) {
  switch (means) {
    case AgentMeans::installed:
      break;
    case AgentMeans::throughSs:
      return HostMeans::throughSs;
    case AgentMeans::copied:
      return HostMeans::copied;
  }
  return HostMeans::installed;
}

/// The host answered but does not have these means: others may reach it.
bool lacksAgent(const SystemError& error) {
  const int number = error.errorNumber;
  if (error.attempt != SystemAttempt::copyAgent) return number == ENOPKG;
  return number == ENOEXEC || number == ENOTSUP || number == ENOSPC || number == EBADMSG;
}

Expected<JoinedHost, SystemError> joinBy(LiveSession& session, const std::string& address,
                                         std::unique_ptr<ReconnectingAgent> collector,
                                         std::shared_ptr<AgentLink> link) {
  const Place place = collector->place();
  const CaptureMeans captures = captureMeansBySsh(address, collector->clock());
  if (auto joined = session.join(place, std::move(collector), captures); !joined) {
    return Unexpected<SystemError>(joined.error());
  }
  return JoinedHost{place.id, address, std::move(link)};
}

}  // namespace

Expected<JoinedHost, SystemError> joinHost(LiveSession& session, PlaceId place, const std::string& address,
                                           std::unique_ptr<StartedAgent> agent, std::shared_ptr<AgentLink> link) {
  auto collector = ReconnectingAgent::open(address, std::move(agent), place, monotonicNow() + kTimeout, link);
  if (!collector) return Unexpected<SystemError>(collector.error());
  return joinBy(session, address, std::move(*collector), std::move(link));
}

Expected<JoinedHost, SystemError> joinLostHost(LiveSession& session, PlaceId place, const std::string& address,
                                               AgentMeans means, const SystemError& why,
                                               const std::shared_ptr<AgentLink>& link) {
  return joinBy(session, address, ReconnectingAgent::openLost(address, means, place, why, link), link);
}

HostConnector::HostConnector(LiveSession& session, std::vector<JoinedHost> joined, std::function<Moment()> now)
    : m_session(session), m_hosts(std::move(joined)), m_now(std::move(now)), m_nextPlace(kFirstJoinedPlace) {}

HostConnector::~HostConnector() {
  cancel();
}

void HostConnector::connectTo(const std::string& typed, HostMeans means) {
  cancel();
  const std::string trimmed = withoutSpaces(typed);
  const std::string address(sshAddress(trimmed).value_or(trimmed));
  if (!isSshAddress(address)) {
    m_refusal = {ConnectPhase::failed, sentence(SystemError{SystemAttempt::reachAgent, EINVAL, UntrustedText(address)}),
                 false};
    return;
  }
  const auto isIt = [&address](const JoinedHost& host) { return host.address == address; };
  if (std::any_of(m_hosts.begin(), m_hosts.end(), isIt)) {
    m_refusal = {ConnectPhase::failed, alreadyConnectedSentence(UntrustedText(address)), false};
    return;
  }
  auto link = AgentLink::open();
  if (!link) {
    m_refusal = {ConnectPhase::failed, sentence(link.error()), false};
    return;
  }
  m_link = std::move(*link);
  m_outcome = postTo(m_background,
                     [this, place = PlaceId{m_nextPlace++}, address, means = agentMeansOf(means),
                      link = m_link](const std::stop_token&) -> Outcome {
                       auto agent = StartedAgent::startBySsh(address, SshManner::asking, means);
                       if (!agent) return Unexpected<SystemError>(agent.error());
                       return joinHost(m_session, place, address, std::move(*agent), link);
                     });
}

void HostConnector::cancel() {
  takeOutcome();
  m_refusal = {};
  if (!m_outcome.valid()) return;
  m_link->giveUp();
  m_link.reset();
  // It may have joined all the same, unnoticed.
  m_background.post(
      [this, outcome = std::make_shared<std::future<Outcome>>(std::move(m_outcome))](const std::stop_token&) {
        if (const Outcome joined = outcome->get()) m_session.leave(joined->place);
      });
}

void HostConnector::takeOutcome() {
  if (!isThere(m_outcome)) return;
  Outcome outcome = m_outcome.get();
  m_link.reset();
  if (outcome) {
    m_hosts.push_back(std::move(*outcome));
  } else {
    m_refusal = {ConnectPhase::failed, sentence(outcome.error()), lacksAgent(outcome.error())};
  }
}

ConnectState HostConnector::connecting() {
  takeOutcome();
  if (m_outcome.valid()) return {ConnectPhase::connecting, {}, false};
  return m_refusal;
}

std::vector<ConnectedHost> HostConnector::hosts() {
  takeOutcome();
  std::vector<ConnectedHost> states;
  states.reserve(m_hosts.size());
  for (const JoinedHost& host : m_hosts) states.push_back(stateOf(host));
  return states;
}

ConnectedHost HostConnector::stateOf(const JoinedHost& host) const {
  const LinkState link = host.link->state();
  ConnectedHost state{
      host.place.number, forPlainText(host.address), phaseOf(link.phase), {}, {}, hostMeansOf(link.means), false};
  if (link.why) state.notice = sentence(*link.why);
  state.lacksAgent = link.why && lacksAgent(*link.why);
  if (link.retryAt) state.retryIn = std::max(std::chrono::ceil<Milliseconds>(*link.retryAt - m_now()), Milliseconds(0));
  return state;
}

const JoinedHost* HostConnector::find(std::uint32_t number) const {
  const auto found = std::find_if(m_hosts.begin(), m_hosts.end(),
                                  [number](const JoinedHost& host) { return host.place.number == number; });
  return found == m_hosts.end() ? nullptr : &*found;
}

std::optional<std::string> HostConnector::addressAt(PlaceId place, const JoinedHost& host) const {
  const auto parts = parseSshAddress(host.address);
  if (place == host.place) return parts && parts->isOfEveryNamespace() ? loginOf(host.address) : host.address;
  const auto seen = namespaceNumber(place, host.place) ? m_session.latest() : nullptr;
  if (!seen) return std::nullopt;
  const auto found = std::ranges::find(seen->places, place, &Place::id);
  return found != seen->places.end() ? addressInNamespace(host.address, *found) : std::nullopt;
}

std::optional<RemoteHost> HostConnector::hostAt(PlaceId place) {
  takeOutcome();
  for (const JoinedHost& host : m_hosts) {
    const auto address = addressAt(place, host);
    if (address) return RemoteHost{*address, host.link->state().phase == LinkPhase::connected};
  }
  return std::nullopt;
}

void HostConnector::connectAgain(std::uint32_t number, HostMeans means) {
  if (const JoinedHost* host = find(number)) host->link->connectNow(agentMeansOf(means));
}

void HostConnector::disconnect(std::uint32_t number) {
  if (find(number) == nullptr) return;
  std::erase_if(m_hosts, [number](const JoinedHost& host) { return host.place.number == number; });
  m_background.post([this, number](const std::stop_token&) { m_session.leave(PlaceId{number}); });
}

}  // namespace tcpscope
