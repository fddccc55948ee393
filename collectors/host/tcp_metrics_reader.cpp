#include "collectors/host/tcp_metrics_reader.h"

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/tcp_metrics.h>

#include <algorithm>
#include <array>

#include "collectors/host/netlink_question.h"
#include "collectors/host/netlink_values.h"

namespace tcpscope {

namespace {

using RequestBytes = std::array<char, 128>;

nlmsghdr* begin(RequestBytes& bytes, std::uint16_t family, std::uint8_t command, std::uint16_t flags) {
  nlmsghdr* header = mnl_nlmsg_put_header(bytes.data());
  header->nlmsg_type = family;
  header->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
  // Each channel here carries the two questions in this order.
  header->nlmsg_seq = family == GENL_ID_CTRL ? 1 : 2;
  auto* generic = static_cast<genlmsghdr*>(mnl_nlmsg_put_extra_header(header, sizeof(genlmsghdr)));
  generic->cmd = command;
  generic->version = 1;
  return header;
}

std::span<const std::byte> bytesOf(const nlmsghdr* message) {
  return {reinterpret_cast<const std::byte*>(message), message->nlmsg_len};
}

Reported<std::uint16_t> familyNumber(NetlinkChannel& channel) {
  alignas(nlmsghdr) RequestBytes bytes{};
  nlmsghdr* request = begin(bytes, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
  mnl_attr_put_strz(request, CTRL_ATTR_FAMILY_NAME, TCP_METRICS_GENL_NAME);
  std::optional<std::uint16_t> number;
  const auto end = askKernel(channel, bytesOf(request),
                             [&](const NetlinkMessage& message) { number = decodeFamilyNumber(message.payload); });
  if (!end) return unreported(reasonOf(end.error()));
  if (!number) return unreported();
  return *number;
}

void count(TcpMetricsReading& reading, const TcpMetricsEntry& entry) {
  ++reading.destinations;
  if (!entry.threshold) return;
  reading.smallestThreshold = std::min(reading.smallestThreshold.value_or(*entry.threshold), *entry.threshold);
  if (*entry.threshold < kSmallThresholdSegments) ++reading.withSmallThreshold;
}

}  // namespace

std::optional<TcpMetricsEntry> decodeTcpMetrics(std::span<const std::byte> payload) {
  if (!valueAtStart<genlmsghdr>(payload)) return std::nullopt;
  TcpMetricsEntry entry;
  bool isEntry = false;
  NetlinkAttributes attributes(payload.subspan(GENL_HDRLEN));
  while (const auto attribute = attributes.next()) {
    isEntry = isEntry || attribute->type == TCP_METRICS_ATTR_ADDR_IPV4 || attribute->type == TCP_METRICS_ATTR_ADDR_IPV6;
    if (attribute->type != TCP_METRICS_ATTR_VALS) continue;
    NetlinkAttributes values(attribute->value);
    while (const auto value = values.next()) {
      // Attributes are numbered from one.
      if (value->type == TCP_METRIC_SSTHRESH + 1) entry.threshold = valueAtStart<std::uint32_t>(value->value);
    }
  }
  if (!isEntry) return std::nullopt;
  return entry;
}

std::optional<std::uint16_t> decodeFamilyNumber(std::span<const std::byte> payload) {
  if (!valueAtStart<genlmsghdr>(payload)) return std::nullopt;
  NetlinkAttributes attributes(payload.subspan(GENL_HDRLEN));
  while (const auto attribute = attributes.next()) {
    if (attribute->type == CTRL_ATTR_FAMILY_ID) return valueAtStart<std::uint16_t>(attribute->value);
  }
  return std::nullopt;
}

Reported<TcpMetricsReading> readTcpMetrics(const HostAccess& access) {
  if (!access.openNetlink) return unreported();
  const auto channel = access.openNetlink(NETLINK_GENERIC);
  if (!channel) return unreported(reasonOf(channel.error()));
  const Reported<std::uint16_t> family = familyNumber(**channel);
  if (!family) return unreported(family.error());
  alignas(nlmsghdr) RequestBytes bytes{};
  TcpMetricsReading reading;
  const auto end = askKernel(**channel, bytesOf(begin(bytes, *family, TCP_METRICS_CMD_GET, NLM_F_DUMP)),
                             [&](const NetlinkMessage& message) {
                               if (const auto entry = decodeTcpMetrics(message.payload)) count(reading, *entry);
                             });
  if (!end) return unreported(reasonOf(end.error()));
  reading.isWhole = *end == AnswerEnd::whole;
  return reading;
}

}  // namespace tcpscope
