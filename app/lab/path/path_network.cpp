#include "app/lab/path/path_network.h"

#include "app/lab/path/packet_header.h"
#include "core/base/invariant.h"

namespace tcpscope::lab {

namespace {

constexpr std::size_t kPathForward = 0;
constexpr std::size_t kPathBackward = 1;

std::size_t linkFrom(std::size_t host) {
  return 2 + 2 * host;
}

bool leadsToHost(std::size_t link) {
  return link >= 2 && link % 2 == 1;
}

std::size_t hostOf(std::size_t link) {
  return (link - 2) / 2;
}

}  // namespace

PathNetwork::PathNetwork(const PathSettings& settings, PathEventSink sink, PacketSink atRightEnd)
    : m_atRightEnd(std::move(atRightEnd)) {
  TCPSCOPE_INVARIANT(settings.hosts.size() <= kMostHosts);
  const auto add = [&](const std::string& name, const DuplexSettings& link) {
    for (const auto& [direction, of] : {std::pair("forward", &link.forward), std::pair("backward", &link.backward)}) {
      m_names.push_back(name + "." + direction);
      m_links.emplace_back(static_cast<std::uint16_t>(m_links.size()), *of, settings.seed, sink);
    }
  };
  add("path", settings.path);
  for (const AttachedHost& host : settings.hosts) {
    add(host.name, host.access);
    m_sides.push_back(host.side);
  }
  m_nextOf.resize(m_links.size());
}

void PathNetwork::change(const PathSettings& settings, Moment now) {
  TCPSCOPE_INVARIANT(settings.hosts.size() == m_sides.size());
  moveUntil(now);
  const auto changeLink = [&](std::size_t link, const LinkSettings& wanted) {
    m_links[link].change(wanted, now);
    m_nextOf[link] = m_links[link].nextRelease();
  };
  changeLink(kPathForward, settings.path.forward);
  changeLink(kPathBackward, settings.path.backward);
  for (std::size_t host = 0; host < m_sides.size(); ++host) {
    changeLink(linkFrom(host), settings.hosts[host].access.forward);
    changeLink(linkTo(host), settings.hosts[host].access.backward);
  }
}

void PathNetwork::accept(std::size_t host, std::span<const std::uint8_t> packet, Moment now) {
  moveUntil(now);
  hand(linkFrom(host), m_pool.make(packet), now);
}

std::optional<Arrival> PathNetwork::release(Moment now) {
  moveUntil(now);
  if (m_arrived.empty()) return std::nullopt;
  return m_arrived.pop();
}

std::optional<Moment> PathNetwork::nextRelease() const {
  if (!m_arrived.empty()) return m_arrived.front().due;
  const std::optional<std::size_t> link = earliestLink();
  return link ? m_nextOf[*link] : std::nullopt;
}

std::vector<LinkReport> PathNetwork::links() const {
  std::vector<LinkReport> reports;
  for (std::size_t link = 0; link < m_links.size(); ++link) {
    reports.push_back({m_names[link], m_links[link].counters()});
  }
  return reports;
}

std::optional<std::size_t> PathNetwork::earliestLink() const {
  std::optional<std::size_t> earliest;
  for (std::size_t link = 0; link < m_nextOf.size(); ++link) {
    if (m_nextOf[link] && (!earliest || *m_nextOf[link] < *m_nextOf[*earliest])) earliest = link;
  }
  return earliest;
}

/// One link's packet at a time, always the earliest, so that each link sees moments that never go back.
void PathNetwork::moveUntil(Moment now) {
  for (auto link = earliestLink(); link && *m_nextOf[*link] <= now; link = earliestLink()) {
    std::optional<Departure> departure = m_links[*link].release(*m_nextOf[*link]);
    m_nextOf[*link] = m_links[*link].nextRelease();
    if (departure) forward(*link, std::move(departure->packet), departure->at);
  }
}

void PathNetwork::hand(std::size_t link, Packet packet, Moment now) {
  const auto message = m_links[link].accept(std::move(packet), now);
  m_nextOf[link] = m_links[link].nextRelease();
  if (message) answer(link, *message, now);
}

/// On from the end of `link`.
void PathNetwork::forward(std::size_t link, Packet packet, Moment now) {
  if (leadsToHost(link)) {
    m_arrived.push({hostOf(link), std::move(packet), now});
  } else if (link == kPathForward || link == kPathBackward) {
    route(link == kPathForward ? PathSide::right : PathSide::left, std::move(packet), now);
  } else {
    route(m_sides[hostOf(link)], std::move(packet), now);
  }
}

/// From the router of one side to a host there, or over the path.
void PathNetwork::route(PathSide from, Packet packet, Moment now) {
  if (m_atRightEnd && from == PathSide::right) m_atRightEnd(packet.bytes(), now);
  const std::optional<PacketHeader> header = readPacketHeader(packet.bytes());
  const auto host = header ? hostWithAddress(header->destination.address) : std::nullopt;
  if (!host || *host >= m_sides.size()) {
    m_unrouted += Count(1);
  } else if (m_sides[*host] == from) {
    hand(linkTo(*host), std::move(packet), now);
  } else {
    hand(from == PathSide::left ? kPathForward : kPathBackward, std::move(packet), now);
  }
}

/// The message starts at the router before the link that the packet did not fit; a host's own link has the same router
/// at its end.
void PathNetwork::answer(std::size_t droppingLink, std::span<const std::uint8_t> message, Moment now) {
  const bool isPath = droppingLink == kPathForward || droppingLink == kPathBackward;
  const PathSide ofPath = droppingLink == kPathForward ? PathSide::left : PathSide::right;
  route(isPath ? ofPath : m_sides[hostOf(droppingLink)], m_pool.make(message), now);
}

}  // namespace tcpscope::lab
