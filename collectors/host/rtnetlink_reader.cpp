#include "collectors/host/rtnetlink_reader.h"

#include <libmnl/libmnl.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <vector>

#include "collectors/host/rtnetlink_decoder.h"

namespace tcpscope {

namespace {

/// A dump whose body is `Body` with nothing asked for in particular.
template <class Body>
class DumpRequest {
public:
  DumpRequest(std::uint16_t type, std::uint32_t sequence) {
    nlmsghdr* header = mnl_nlmsg_put_header(m_bytes.data());
    header->nlmsg_type = type;
    header->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    header->nlmsg_seq = sequence;
    mnl_nlmsg_put_extra_header(header, sizeof(Body));
    m_size = header->nlmsg_len;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(m_bytes)).first(m_size); }

private:
  alignas(nlmsghdr) std::array<char, 128> m_bytes{};
  std::size_t m_size = 0;
};

/// The discipline at the root of an interface, and for one that only spreads packets over queues, what these have.
Reported<QueueDisciplineReading> disciplineOf(const std::vector<QueueDisciplineMessage>& all, std::int32_t index) {
  const auto root = std::find_if(all.begin(), all.end(), [index](const QueueDisciplineMessage& one) {
    return one.interfaceIndex == index && one.parent == TC_H_ROOT;
  });
  if (root == all.end()) return unreported();
  QueueDisciplineReading reading{root->kind, root->drops, root->requeues, root->backlog};
  if (root->kind.rawBytes() != "mq" && root->kind.rawBytes() != "mqprio") return reading;
  const auto child = std::find_if(all.begin(), all.end(), [&](const QueueDisciplineMessage& one) {
    return one.interfaceIndex == index && one.parent != TC_H_ROOT && TC_H_MAJ(one.parent) == TC_H_MAJ(root->handle);
  });
  if (child != all.end()) {
    reading.kind = UntrustedText(root->kind.rawBytes() + ": " + child->kind.rawBytes());
  }
  return reading;
}

void count(RoutesReading& reading, RouteMessage route) {
  constexpr std::size_t kMostExamples = 8;
  ++reading.routes;
  if (!route.isUnicast) return;
  if (route.prefixBits == 0) ++reading.defaults;
  if (route.settings.empty()) return;
  ++reading.withSettings;
  if (reading.examples.size() == kMostExamples) return;
  std::string destination = route.prefixBits == 0
                                ? std::string("default")
                                : route.destination.toString() + "/" + std::to_string(route.prefixBits);
  reading.examples.push_back({std::move(destination), std::move(route.settings)});
}

}  // namespace

Reported<LinkTable> readLinkTable(const HostAccess& access) {
  if (!access.openNetlink) return unreported();
  const auto channel = access.openNetlink(NETLINK_ROUTE);
  if (!channel) return unreported(reasonOf(channel.error()));
  std::vector<LinkMessage> links;
  const auto linkEnd =
      askKernel(**channel, DumpRequest<ifinfomsg>(RTM_GETLINK, 1).bytes(), [&](const NetlinkMessage& message) {
        if (auto link = decodeLink(message.payload)) links.push_back(std::move(*link));
      });
  if (!linkEnd) return unreported(reasonOf(linkEnd.error()));
  if (*linkEnd == AnswerEnd::cut) return unreported();
  std::vector<QueueDisciplineMessage> disciplines;
  const auto end =
      askKernel(**channel, DumpRequest<tcmsg>(RTM_GETQDISC, 2).bytes(), [&](const NetlinkMessage& message) {
        if (auto one = decodeQueueDiscipline(message.payload)) {
          disciplines.push_back(std::move(*one));
        }
      });
  LinkTable table;
  for (const LinkMessage& link : links) {
    LinkFacts& facts = table.links[link.name];
    facts.isUp = link.isUp;
    const auto lower = std::find_if(links.begin(), links.end(), [&](const LinkMessage& one) {
      return link.lowerIndex != 0 && one.index == link.lowerIndex;
    });
    if (lower != links.end()) facts.lowerMtu = lower->mtu;
    facts.kind = link.kind;
    facts.transmitQueueLength = link.transmitQueueLength;
    facts.queueDiscipline = end ? disciplineOf(disciplines, link.index)
                                : Reported<QueueDisciplineReading>(unreported(reasonOf(end.error())));
  }
  return table;
}

Reported<RoutesReading> readRoutes(const HostAccess& access, const QuestionLimits& limits) {
  if (!access.openNetlink) return unreported();
  const auto channel = access.openNetlink(NETLINK_ROUTE);
  if (!channel) return unreported(reasonOf(channel.error()));
  RoutesReading reading;
  const auto visit = [&](const NetlinkMessage& message) {
    if (auto route = decodeRoute(message.payload)) count(reading, std::move(*route));
  };
  const auto end = askKernel(**channel, DumpRequest<rtmsg>(RTM_GETROUTE, 1).bytes(), visit, limits);
  if (!end) return unreported(reasonOf(end.error()));
  reading.isWhole = *end == AnswerEnd::whole;
  return reading;
}

}  // namespace tcpscope
