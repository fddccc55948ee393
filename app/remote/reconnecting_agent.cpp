#include "app/remote/reconnecting_agent.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "app/remote/poll_timeout.h"
#include "app/remote/ssh_failure.h"
#include "collectors/system/monotonic_clock.h"
#include "core/present/text/error_text.h"

namespace tcpscope {

namespace {

/// Without a prompt, and with one that the user has to answer.
constexpr Nanoseconds kTimeoutUnattended = std::chrono::seconds(20);
constexpr Nanoseconds kTimeoutAttended = std::chrono::minutes(1);
/// When a sink without room is tried again.
constexpr int kSinkRetryMs = 5;

/// What a session must not miss waits for room, unless a stop comes first.
void handOver(ObservationBatch&& batch, const std::stop_token& stop, RequestSource& requests,
              const ObservationSink& sink) {
  while (!stop.stop_requested() && !sink(std::move(batch))) {  // NOLINT(bugprone-use-after-move): refused, so untouched
    pollfd entry{requests.wakeDescriptor(), POLLIN, 0};
    if (poll(&entry, 1, kSinkRetryMs) > 0) requests.take();
  }
}

}  // namespace

Expected<std::unique_ptr<ReconnectingAgent>, SystemError> ReconnectingAgent::open(std::string address,
                                                                                  std::unique_ptr<StartedAgent> agent,
                                                                                  PlaceId place, Moment deadline,
                                                                                  std::shared_ptr<AgentLink> link) {
  std::unique_ptr<ReconnectingAgent> made(new ReconnectingAgent(std::move(address), place, std::move(link)));
  const AgentInterrupt interrupt{made->m_link->wakeDescriptor(), [&made] {
                                   made->m_link->silence();
                                   return made->m_link->isGivenUp();
                                 }};
  if (auto heard = made->hear(std::move(agent), deadline, interrupt); !heard) {
    return Unexpected<SystemError>(heard.error());
  }
  made->m_place = made->placeNow();
  return made;
}

std::unique_ptr<ReconnectingAgent> ReconnectingAgent::openLost(std::string address, AgentMeans means, PlaceId place,
                                                               SystemError why, std::shared_ptr<AgentLink> link) {
  std::unique_ptr<ReconnectingAgent> made(new ReconnectingAgent(std::move(address), place, std::move(link)));
  made->m_means = means;
  made->m_place.id = place;
  made->m_place.host = UntrustedText(made->m_address);
  made->m_link->report({LinkPhase::connecting, why, {}, means});
  made->m_whyNever = std::move(why);
  return made;
}

ReconnectingAgent::ReconnectingAgent(std::string address, PlaceId id, std::shared_ptr<AgentLink> link)
    : m_address(std::move(address)), m_id(id), m_link(std::move(link)) {}

Expected<void, SystemError> ReconnectingAgent::hear(std::unique_ptr<StartedAgent> agent, Moment deadline,
                                                    const AgentInterrupt& interrupt) {
  auto collector = AgentCollector::open(agent->pipes(), m_id, deadline, interrupt);
  if (!collector) return Unexpected<SystemError>(agent->reasonOf(collector.error()));
  m_collector = std::move(*collector);
  m_agent = std::move(agent);
  m_means = m_agent->means();
  m_agent->hasSpoken();
  m_connectedAt = monotonicNow();
  if (!m_clock) m_clock = ClockPair{m_connectedAt, m_collector->hello().clock.wall};
  m_link->report({LinkPhase::connected, {}, {}, m_means});
  m_link->takeRetryRequest();
  return {};
}

void ReconnectingAgent::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  // Its further network namespaces, called as the host is.
  const ObservationSink named = [this, &sink](ObservationBatch&& batch) {
    if (batch.appeared && batch.appeared->host != m_place.host) {
      Place place = *batch.appeared;
      place.host = m_place.host;
      batch.appeared = std::make_shared<const Place>(std::move(place));
    }
    return sink(std::move(batch));
  };
  while (true) {
    if (m_collector) m_collector->run(stop, requests, named);
    if (stop.stop_requested()) return;
    reportLost(stop, requests, sink);
    if (!reachAgain(stop, requests)) return;
    reportReturn(stop, requests, sink);
  }
}

Place ReconnectingAgent::placeNow() const {
  Place place = m_collector->hello().place;
  const std::string login = loginOf(m_address);
  const auto parts = parseSshAddress(m_address);
  const std::string address = parts && parts->isOfEveryNamespace() ? login : m_address;
  std::string name = place.host.rawBytes();
  // Through ss more stands behind the name.
  name.insert(std::min(name.find(' '), name.size()), address.substr(login.size()));
  const bool saysIt = (name + ' ').starts_with(address + ' ');
  place.host = UntrustedText(saysIt ? name : name + " (" + login + ")");
  return place;
}

SystemError ReconnectingAgent::whyLost() {
  if (!m_agent) return m_whyNever;
  return m_agent->reasonOf({attemptOf(m_means), ECONNRESET, UntrustedText(m_address)});
}

bool ReconnectingAgent::reachAgain(const std::stop_token& stop, RequestSource& requests) {
  SystemError why = whyLost();
  m_collector.reset();
  m_agent.reset();
  m_pauses.ended(monotonicNow() - m_connectedAt);
  // A request from before the disconnect must not let a later attempt prompt.
  m_link->takeRetryRequest();
  while (!stop.stop_requested()) {
    std::optional<Moment> retryAt;
    if (!needsPerson(why.errorNumber)) retryAt = monotonicNow() + m_pauses.next();
    m_link->report({retryAt ? LinkPhase::waiting : LinkPhase::stopped, why, retryAt, m_means});
    wait(retryAt, stop, requests);
    if (stop.stop_requested()) break;
    const SshManner manner = m_link->takeRetryRequest() ? SshManner::asking : SshManner::alone;
    m_means = m_link->takeMeans().value_or(m_means);
    m_link->report({LinkPhase::connecting, why, {}, m_means});
    const auto reached = tryOnce(manner, stop, requests);
    if (reached) return true;
    // A request that arrived meanwhile ends an attempt that may not prompt: that attempt has nothing to report.
    if (reached.error().errorNumber != ECANCELED) why = reached.error();
  }
  return false;
}

Expected<void, SystemError> ReconnectingAgent::tryOnce(SshManner manner, const std::stop_token& stop,
                                                       RequestSource& requests) {
  auto agent = StartedAgent::startBySsh(m_address, manner, m_means);
  if (!agent) return Unexpected<SystemError>(agent.error());
  const bool asks = manner == SshManner::asking;
  AgentInterrupt interrupt;
  interrupt.wakeDescriptor = requests.wakeDescriptor();
  interrupt.secondDescriptor = m_link->wakeDescriptor();
  interrupt.isOver = [&] {
    requests.take();
    m_link->silence();
    return stop.stop_requested() || (!asks && m_link->isRetryRequested());
  };
  return hear(std::move(*agent), monotonicNow() + (asks ? kTimeoutAttended : kTimeoutUnattended), interrupt);
}

void ReconnectingAgent::wait(std::optional<Moment> until, const std::stop_token& stop, RequestSource& requests) const {
  while (!stop.stop_requested() && !m_link->isRetryRequested()) {
    std::array<pollfd, 2> entries{{{requests.wakeDescriptor(), POLLIN, 0}, {m_link->wakeDescriptor(), POLLIN, 0}}};
    const int ready = poll(entries.data(), entries.size(), pollTimeout(until));
    if (ready == 0 && until && monotonicNow() >= *until) return;
    if (ready <= 0) continue;
    requests.take();
    m_link->silence();
  }
}

void ReconnectingAgent::reportLost(const std::stop_token& stop, RequestSource& requests,
                                   const ObservationSink& sink) const {
  ObservationBatch batch;
  batch.place = m_id;
  batch.turn = PlaceTurn::lost;
  handOver(std::move(batch), stop, requests, sink);
}

void ReconnectingAgent::reportReturn(const std::stop_token& stop, RequestSource& requests,
                                     const ObservationSink& sink) {
  const Place now = placeNow();
  // By other means the place is named otherwise, and other figures of the same sockets are known.
  const bool isTheSame = !now.bootId.empty() && now.bootId == m_place.bootId &&
                         now.networkNamespace == m_place.networkNamespace && now.host == m_place.host;
  if (isTheSame) return;
  m_place = now;
  ObservationBatch batch;
  batch.place = m_id;
  batch.turn = PlaceTurn::appeared;
  batch.appeared = std::make_shared<const Place>(m_place);
  handOver(std::move(batch), stop, requests, sink);
}

}  // namespace tcpscope
