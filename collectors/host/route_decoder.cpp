#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <array>

#include "collectors/host/netlink_values.h"
#include "collectors/host/rtnetlink_decoder.h"

namespace tcpscope {

namespace {

struct MetricName {
  std::uint16_t type;
  std::string_view name;
  std::string_view unit;
};

/// Those that decide what a connection may do; the size of packets only where it is locked.
constexpr std::array kMetrics = {
    MetricName{RTAX_WINDOW, "window", ""},     MetricName{RTAX_SSTHRESH, "ssthresh", ""},
    MetricName{RTAX_CWND, "cwnd", ""},         MetricName{RTAX_ADVMSS, "advmss", ""},
    MetricName{RTAX_INITCWND, "initcwnd", ""}, MetricName{RTAX_INITRWND, "initrwnd", ""},
    MetricName{RTAX_RTO_MIN, "rto_min", "ms"}, MetricName{RTAX_QUICKACK, "quickack", ""},
};

UntrustedText settingOf(const MetricName& metric, std::uint32_t value) {
  return UntrustedText(std::string(metric.name) + " " + std::to_string(value) + std::string(metric.unit));
}

std::vector<UntrustedText> settingsOf(std::span<const std::byte> metrics) {
  std::vector<UntrustedText> settings;
  std::uint32_t locks = 0;
  std::optional<std::uint32_t> mtu;
  NetlinkAttributes attributes(metrics);
  while (const auto attribute = attributes.next()) {
    if (attribute->type == RTAX_CC_ALGO) settings.emplace_back("congctl " + textIn(attribute->value).rawBytes());
    const auto value = valueAtStart<std::uint32_t>(attribute->value);
    if (!value || settings.size() > kMetrics.size()) continue;
    if (attribute->type == RTAX_LOCK) locks = *value;
    if (attribute->type == RTAX_MTU) mtu = value;
    for (const MetricName& metric : kMetrics) {
      if (metric.type == attribute->type) settings.push_back(settingOf(metric, *value));
    }
  }
  if (mtu && (locks & (1U << RTAX_MTU)) != 0) settings.emplace_back("mtu lock " + std::to_string(*mtu));
  return settings;
}

std::optional<IpAddress> addressIn(std::span<const std::byte> bytes, std::uint8_t family) {
  if (family == AF_INET) {
    const auto four = valueAtStart<std::array<std::uint8_t, 4>>(bytes);
    return four ? std::optional(IpAddress::v4(*four)) : std::nullopt;
  }
  const auto sixteen = valueAtStart<std::array<std::uint8_t, 16>>(bytes);
  return sixteen ? std::optional(IpAddress::v6(*sixteen)) : std::nullopt;
}

}  // namespace

std::optional<RouteMessage> decodeRoute(std::span<const std::byte> payload) {
  const auto head = valueAtStart<rtmsg>(payload);
  if (!head || (head->rtm_family != AF_INET && head->rtm_family != AF_INET6)) return std::nullopt;
  // What the kernel learned of one destination is no route of the administrator.
  if ((head->rtm_flags & RTM_F_CLONED) != 0) return std::nullopt;
  RouteMessage route;
  route.prefixBits = head->rtm_dst_len;
  route.isUnicast = head->rtm_type == RTN_UNICAST;
  route.destination = head->rtm_family == AF_INET ? IpAddress::v4({}) : IpAddress::v6({});
  NetlinkAttributes attributes(payload.subspan(sizeof *head));
  while (const auto attribute = attributes.next()) {
    if (attribute->type == RTA_METRICS) route.settings = settingsOf(attribute->value);
    if (attribute->type != RTA_DST) continue;
    const auto address = addressIn(attribute->value, head->rtm_family);
    if (!address) return std::nullopt;
    route.destination = *address;
  }
  return route;
}

}  // namespace tcpscope
