#include "collectors/host/rtnetlink_decoder.h"

#include <linux/gen_stats.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "collectors/host/netlink_values.h"

namespace tcpscope {

std::optional<LinkMessage> decodeLink(std::span<const std::byte> payload) {
  const auto head = valueAtStart<ifinfomsg>(payload);
  if (!head) return std::nullopt;
  LinkMessage link;
  link.index = head->ifi_index;
  link.isUp = (head->ifi_flags & IFF_UP) != 0;
  NetlinkAttributes attributes(payload.subspan(sizeof *head));
  while (const auto attribute = attributes.next()) {
    if (attribute->type == IFLA_IFNAME) link.name = textIn(attribute->value);
    if (attribute->type == IFLA_TXQLEN) link.transmitQueueLength = valueAtStart<std::uint32_t>(attribute->value);
    if (attribute->type == IFLA_LINK) link.lowerIndex = valueAtStart<std::int32_t>(attribute->value).value_or(0);
    if (attribute->type == IFLA_MTU) {
      if (const auto mtu = valueAtStart<std::uint32_t>(attribute->value)) link.mtu = Bytes(*mtu);
    }
    if (attribute->type != IFLA_LINKINFO) continue;
    NetlinkAttributes info(attribute->value);
    while (const auto part = info.next()) {
      if (part->type == IFLA_INFO_KIND) link.kind = textIn(part->value);
    }
  }
  if (link.name.empty()) return std::nullopt;
  return link;
}

std::optional<QueueDisciplineMessage> decodeQueueDiscipline(std::span<const std::byte> payload) {
  const auto head = valueAtStart<tcmsg>(payload);
  if (!head) return std::nullopt;
  QueueDisciplineMessage discipline;
  discipline.interfaceIndex = head->tcm_ifindex;
  discipline.handle = head->tcm_handle;
  discipline.parent = head->tcm_parent;
  NetlinkAttributes attributes(payload.subspan(sizeof *head));
  while (const auto attribute = attributes.next()) {
    if (attribute->type == TCA_KIND) discipline.kind = textIn(attribute->value);
    if (attribute->type != TCA_STATS2) continue;
    NetlinkAttributes statistics(attribute->value);
    while (const auto part = statistics.next()) {
      if (part->type != TCA_STATS_QUEUE) continue;
      const auto queue = valueAtStart<gnet_stats_queue>(part->value);
      if (!queue) continue;
      discipline.drops = queue->drops;
      discipline.requeues = queue->requeues;
      discipline.backlog = Bytes(queue->backlog);
    }
  }
  if (discipline.kind.empty()) return std::nullopt;
  return discipline;
}

}  // namespace tcpscope
