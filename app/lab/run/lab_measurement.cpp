#include "app/lab/run/lab_measurement.h"

#include <algorithm>

#include "core/base/fair_share.h"

namespace tcpscope::lab {

namespace {

std::size_t hostNumber(const PathSettings& path, std::string_view name) {
  const auto same = [&](const AttachedHost& host) { return host.name == name; };
  return static_cast<std::size_t>(std::find_if(path.hosts.begin(), path.hosts.end(), same) - path.hosts.begin());
}

/// The links from one host to another in their order; those of the same side do not cross the path.
std::vector<const LinkSettings*> linksBetween(const PathSettings& path, std::string_view from, std::string_view to) {
  const AttachedHost& source = path.hosts[hostNumber(path, from)];
  const AttachedHost& target = path.hosts[hostNumber(path, to)];
  std::vector<const LinkSettings*> links = {&source.access.forward};
  if (source.side != target.side) {
    links.push_back(source.side == PathSide::left ? &path.path.forward : &path.path.backward);
  }
  links.push_back(&target.access.backward);
  return links;
}

/// A flow where shares are compared: one connection, or a whole group that counts as one.
struct ComparedFlow {
  std::size_t traffic = 0;
  double measuredBps = 0.0;
};

double windowBps(const Scenario& scenario, const TrafficSettings& traffic) {
  const double rtt = toSeconds(baseRtt(scenario.path, traffic.from, traffic.to));
  double demand = std::numeric_limits<double>::infinity();
  if (traffic.pacingRate) demand = traffic.pacingRate->value();
  if (rtt <= 0.0) return demand;
  const auto window = traffic.windowClamp ? traffic.windowClamp : traffic.receiveBuffer;
  if (window) demand = std::min(demand, static_cast<double>(window->value()) * 8.0 / rtt);
  return demand;
}

std::vector<double> fairSharesOf(const Scenario& scenario, const std::vector<ComparedFlow>& flows) {
  std::vector<const LinkSettings*> links;
  std::vector<double> capacities;
  std::vector<SharingFlow> sharing;
  for (const ComparedFlow& flow : flows) {
    const TrafficSettings& traffic = scenario.traffic[flow.traffic];
    SharingFlow one;
    one.demandBps = windowBps(scenario, traffic);
    if (traffic.countsAsOne) one.demandBps *= static_cast<double>(traffic.streams);
    for (const LinkSettings* const link : linksBetween(scenario.path, traffic.from, traffic.to)) {
      const auto known = std::find(links.begin(), links.end(), link);
      one.links.push_back(static_cast<std::size_t>(known - links.begin()));
      if (known != links.end()) continue;
      links.push_back(link);
      capacities.push_back(link->rate ? link->rate->value() : std::numeric_limits<double>::infinity());
    }
    sharing.push_back(std::move(one));
  }
  return maxMinFairShares(sharing, capacities);
}

const TransferRecord* sameTransfer(const LabResult& result, const TransferRecord& wanted) {
  const auto same = [&](const TransferRecord& one) {
    return one.source == wanted.source && one.destination == wanted.destination && one.startedAt == wanted.startedAt;
  };
  const auto found = std::find_if(result.transfers.begin(), result.transfers.end(), same);
  return found == result.transfers.end() ? nullptr : &*found;
}

double rateOf(const TransferRecord& transfer, const MeasuredSpan& span) {
  const TransferRecord* const earlier = sameTransfer(span.before, transfer);
  const Bytes received = earlier == nullptr ? transfer.received : transfer.received - earlier->received;
  return BitsPerSecond::from(received, span.length).value();
}

/// First start and last finish of some transfers; nothing where one has not ended.
std::optional<Nanoseconds> completionOf(const std::vector<const TransferRecord*>& transfers) {
  if (transfers.empty()) return std::nullopt;
  Moment first = transfers.front()->startedAt;
  Moment last = first;
  for (const TransferRecord* const transfer : transfers) {
    if (!transfer->endedAt) return std::nullopt;
    first = std::min(first, transfer->startedAt);
    last = std::max(last, *transfer->endedAt);
  }
  return last > first ? std::optional(last - first) : std::nullopt;
}

std::vector<const TransferRecord*> transfersOf(const LabResult& result, std::string_view traffic) {
  std::vector<const TransferRecord*> found;
  for (const TransferRecord& transfer : result.transfers) {
    if (transfer.traffic == traffic) found.push_back(&transfer);
  }
  return found;
}

TrafficFigures measure(const TrafficSettings& traffic, const MeasuredSpan& span, std::vector<ComparedFlow>& flows,
                       std::size_t number) {
  TrafficFigures figures;
  figures.name = traffic.name;
  const std::vector<const TransferRecord*> transfers = transfersOf(span.after, traffic.name);
  figures.connections = transfers.size();
  const std::optional<Nanoseconds> whole = traffic.bytes ? completionOf(transfers) : std::nullopt;
  double sum = 0.0;
  for (const TransferRecord* const transfer : transfers) {
    const double rate = whole ? BitsPerSecond::from(transfer->received, *whole).value() : rateOf(*transfer, span);
    sum += rate;
    if (!traffic.countsAsOne) flows.push_back({number, rate});
    if (transfer->endedAt && traffic.bytes) {
      figures.completionSeconds.push_back(toSeconds(*transfer->endedAt - transfer->startedAt));
    }
  }
  if (traffic.countsAsOne) flows.push_back({number, sum});
  figures.goodput = BitsPerSecond(sum);
  return figures;
}

/// What a host's programs sent and received, up to now.
double bytesThrough(const Scenario& scenario, const LabResult& result, std::string_view host) {
  double bytes = 0.0;
  for (const TrafficSettings& traffic : scenario.traffic) {
    if (traffic.from != host && traffic.to != host) continue;
    for (const TransferRecord* const transfer : transfersOf(result, traffic.name)) {
      bytes += static_cast<double>(transfer->received.value());
    }
  }
  return bytes;
}

Nanoseconds processorTimeOf(const LabResult& result, std::string_view host) {
  const auto same = [&](const HostUse& one) { return one.host == host; };
  const auto found = std::find_if(result.hosts.begin(), result.hosts.end(), same);
  return found == result.hosts.end() ? Nanoseconds{0} : found->processorTime;
}

std::vector<HostFigures> hostFiguresOf(const Scenario& scenario, const MeasuredSpan& span,
                                       const std::optional<double>& completionSeconds) {
  std::vector<HostFigures> hosts;
  for (const HostUse& use : span.after.hosts) {
    HostFigures host;
    host.name = use.host;
    host.socketMemoryPeak = use.memoryPeak;
    double seconds = toSeconds(span.length);
    double busySeconds = toSeconds(use.processorTime);
    double bytes = bytesThrough(scenario, span.after, use.host);
    if (completionSeconds) {
      seconds = *completionSeconds;
    } else {
      busySeconds -= toSeconds(processorTimeOf(span.before, use.host));
      bytes -= bytesThrough(scenario, span.before, use.host);
    }
    if (seconds > 0.0) host.cpuRatio = busySeconds / seconds;
    constexpr double kNanoseconds = 1e9;
    if (bytes > 0.0) host.cpuNanosecondsPerByte = busySeconds * kNanoseconds / bytes;
    hosts.push_back(std::move(host));
  }
  return hosts;
}

void countPackets(const LabResult& result, LabFigures& figures) {
  for (const LinkReport& link : result.path.links) {
    figures.drops += link.counters.drops.value();
    figures.marks += link.counters.marks.value();
    figures.queuePeak = std::max(figures.queuePeak, link.counters.queuePeak);
  }
  figures.lateness = {result.path.lateness999, result.path.worstLateness};
}

/// Of the direction that most of the traffic takes.
std::optional<double> utilizationOf(const Scenario& scenario, const LabFigures& figures) {
  double forward = 0.0;
  double backward = 0.0;
  for (std::size_t number = 0; number < scenario.traffic.size(); ++number) {
    const AttachedHost& source = scenario.path.hosts[hostNumber(scenario.path, scenario.traffic[number].from)];
    (source.side == PathSide::left ? forward : backward) += figures.traffic[number].goodput.value();
  }
  const LinkSettings& link = forward >= backward ? scenario.path.path.forward : scenario.path.path.backward;
  if (!link.rate) return std::nullopt;
  return std::max(forward, backward) / link.rate->value();
}

}  // namespace

Nanoseconds baseRtt(const PathSettings& path, std::string_view from, std::string_view to) {
  Nanoseconds sum{0};
  for (const LinkSettings* const link : linksBetween(path, from, to)) sum += link->delay;
  for (const LinkSettings* const link : linksBetween(path, to, from)) sum += link->delay;
  return sum;
}

LabFigures figuresOf(const Scenario& scenario, const MeasuredSpan& span) {
  LabFigures figures;
  std::vector<ComparedFlow> flows;
  double sum = 0.0;
  for (std::size_t number = 0; number < scenario.traffic.size(); ++number) {
    figures.traffic.push_back(measure(scenario.traffic[number], span, flows, number));
    sum += figures.traffic.back().goodput.value();
  }
  figures.goodput = BitsPerSecond(sum);
  figures.utilizationRatio = utilizationOf(scenario, figures);
  const std::vector<double> shares = fairSharesOf(scenario, flows);
  std::vector<double> normalized;
  for (std::size_t flow = 0; flow < flows.size(); ++flow) {
    if (shares[flow] == std::numeric_limits<double>::infinity()) continue;
    TrafficFigures& traffic = figures.traffic[flows[flow].traffic];
    traffic.fairShare = BitsPerSecond(shares[flow] + traffic.fairShare.value_or(BitsPerSecond()).value());
    normalized.push_back(flows[flow].measuredBps / shares[flow]);
  }
  if (normalized.size() > 1) figures.jainFairnessRatio = jainFairness(normalized);
  if (isComplete(scenario, span.after)) {
    std::vector<const TransferRecord*> all;
    for (const TransferRecord& transfer : span.after.transfers) all.push_back(&transfer);
    if (const auto whole = completionOf(all)) figures.completionSeconds = toSeconds(*whole);
  }
  figures.hosts = hostFiguresOf(scenario, span, figures.completionSeconds);
  countPackets(span.after, figures);
  return figures;
}

bool isComplete(const Scenario& scenario, const LabResult& result) {
  for (const TrafficSettings& traffic : scenario.traffic) {
    if (!traffic.bytes) return false;
    const bool inTurn = traffic.kind == TrafficKind::messages;
    const std::size_t expected = inTurn ? traffic.messages : traffic.streams;
    std::size_t ended = 0;
    for (const TransferRecord* const transfer : transfersOf(result, traffic.name)) ended += transfer->endedAt ? 1U : 0U;
    if (ended < expected) return false;
  }
  return true;
}

}  // namespace tcpscope::lab
