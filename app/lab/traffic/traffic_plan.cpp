#include "app/lab/traffic/traffic_plan.h"

#include <algorithm>
#include <cerrno>

namespace tcpscope::lab {

namespace {

constexpr std::uint16_t kFirstDestinationPort = 5001;
constexpr std::uint16_t kFirstSourcePort = 20000;

Expected<std::size_t, LabError> numberOf(const std::string& host, const PathSettings& path) {
  const auto found =
      std::find_if(path.hosts.begin(), path.hosts.end(), [&](const AttachedHost& one) { return one.name == host; });
  if (found != path.hosts.end()) return static_cast<std::size_t>(found - path.hosts.begin());
  return tl::unexpected(LabError{LabErrorKind::setUpFailed, ENOENT, UntrustedText("the host " + host)});
}

IpAddress addressOf(std::size_t host, bool ipv6) {
  const HostAddress address = hostAddress(host);
  return IpAddress::parse(ipv6 ? address.ipv6 : address.ipv4).value_or(IpAddress());
}

std::size_t connectionsOf(const TrafficSettings& settings) {
  return settings.kind == TrafficKind::messages ? settings.messages : settings.streams;
}

Unexpected<LabError> tooMany(const char* what) {
  return Unexpected<LabError>(LabError{LabErrorKind::tooMany, 0, UntrustedText(what)});
}

}  // namespace

Endpoint TrafficPlan::sourceOf(std::size_t stream) const {
  return {source, static_cast<std::uint16_t>(kFirstSourcePort + firstSlot + stream)};
}

std::optional<std::size_t> TrafficPlan::slotOf(std::uint16_t sourcePort) const {
  if (sourcePort < kFirstSourcePort + firstSlot || sourcePort >= kFirstSourcePort + firstSlot + slotCount) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(sourcePort - kFirstSourcePort);
}

Expected<std::vector<TrafficPlan>, LabError> planTraffic(const Scenario& scenario) {
  if (scenario.traffic.size() > kMostTraffic) return tooMany("groups of traffic");
  std::vector<TrafficPlan> plans;
  std::size_t slots = 0;
  for (const TrafficSettings& settings : scenario.traffic) {
    const auto sender = numberOf(settings.from, scenario.path);
    if (!sender) return tl::unexpected(sender.error());
    const auto receiver = numberOf(settings.to, scenario.path);
    if (!receiver) return tl::unexpected(receiver.error());
    if (connectionsOf(settings) > kMostTransfers - slots) return tooMany("connections");

    TrafficPlan plan;
    plan.settings = settings;
    plan.sender = *sender;
    plan.receiver = *receiver;
    plan.source = addressOf(*sender, settings.ipv6);
    plan.destination = {addressOf(*receiver, settings.ipv6),
                        static_cast<std::uint16_t>(kFirstDestinationPort + plans.size())};
    plan.firstSlot = slots;
    plan.slotCount = connectionsOf(settings);
    slots += plan.slotCount;
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::size_t slotsOf(const std::vector<TrafficPlan>& plans) {
  return plans.empty() ? 0 : plans.back().firstSlot + plans.back().slotCount;
}

}  // namespace tcpscope::lab
