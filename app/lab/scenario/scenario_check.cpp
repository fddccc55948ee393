#include "app/lab/scenario/scenario_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lab/scenario/scenario_assignment.h"

namespace tcpscope::lab {

namespace {

using Kind = ScenarioError::Kind;
using ScenarioFailure = Unexpected<ScenarioError>;
using Result = Expected<void, ScenarioError>;

ScenarioFailure missing(std::string key, std::string allowed) {
  return ScenarioFailure(ScenarioError{Kind::missing, 0, std::move(key), {}, std::move(allowed)});
}

ScenarioFailure unknownName(std::string key, std::string value, std::string allowed) {
  return ScenarioFailure(ScenarioError{Kind::unknownName, 0, std::move(key), std::move(value), std::move(allowed)});
}

const AttachedHost* hostNamed(const Scenario& scenario, std::string_view name) {
  for (const AttachedHost& host : scenario.path.hosts) {
    if (host.name == name) return &host;
  }
  return nullptr;
}

Result checkEnd(const Scenario& scenario, const std::string& key, const std::string& host) {
  if (host.empty()) return missing(key, "the name of a host");
  if (hostNamed(scenario, host) == nullptr) return unknownName(key, host, "the name of a [host NAME]");
  return {};
}

Result checkTraffic(const Scenario& scenario, const TrafficSettings& traffic) {
  const std::string prefix = "traffic." + traffic.name + ".";
  if (auto end = checkEnd(scenario, prefix + "from", traffic.from); !end) return end;
  if (auto end = checkEnd(scenario, prefix + "to", traffic.to); !end) return end;
  if (traffic.from == traffic.to) return unknownName(prefix + "to", traffic.to, "a host other than the sender");
  if (traffic.kind == TrafficKind::paced && !traffic.pacingRate) {
    return missing(prefix + "pacing_rate", "the rate of paced traffic");
  }
  if (traffic.kind == TrafficKind::messages && (!traffic.bytes || traffic.messages == 0)) {
    return missing(prefix + (traffic.bytes ? "messages" : "bytes"), "the number and the size of the messages");
  }
  if (traffic.writeSize.value() == 0) {
    return ScenarioFailure(ScenarioError{Kind::badValue, 0, prefix + "write_size", "0 B", "a size above 0"});
  }
  return {};
}

Result checkSweep(const Scenario& scenario) {
  std::size_t cells = 1;
  for (const SweepAxis& axis : scenario.sweep) {
    cells *= axis.values.size();
    if (cells > kMostSweepCells) {
      return ScenarioFailure(
          ScenarioError{Kind::tooLong, 0, "sweep." + axis.key, {}, "at most 10000 points of the grid"});
    }
    for (const std::string& value : axis.values) {
      Scenario trial = scenario;
      if (auto done = assign(trial, {axis.key, value}); !done) return done;
    }
  }
  return {};
}

Result checkVariants(const Scenario& scenario) {
  for (const Variant& variant : scenario.variants) {
    Scenario trial = scenario;
    for (const Assignment& setting : variant.settings) {
      if (auto done = assign(trial, setting); !done) return done;
    }
  }
  return {};
}

Result checkTruth(const Scenario& scenario, const Truth& truth) {
  const bool known = std::any_of(scenario.traffic.begin(), scenario.traffic.end(),
                                 [&](const TrafficSettings& one) { return one.name == truth.traffic; });
  if (truth.traffic.empty()) return missing("truth.traffic", "the name of the traffic that the truth is about");
  if (!known) return unknownName("truth.traffic", truth.traffic, "the name of a [traffic NAME]");
  if (truth.limit == Limit::unknown) return missing("truth.limit", "what holds the traffic back");
  return {};
}

}  // namespace

Result check(const Scenario& scenario) {
  if (scenario.name.empty()) return missing("name", "the name of the scenario");
  if (scenario.title.empty()) return missing("title", "a few words for people");
  if (scenario.hosts.size() < 2) return missing("[host NAME]", "at least two hosts");
  if (scenario.traffic.empty()) return missing("[traffic NAME]", "at least one kind of traffic");
  if (scenario.duration <= Nanoseconds::zero()) {
    return ScenarioFailure(ScenarioError{Kind::badValue, 0, "duration", "0 s", "a time above 0"});
  }
  for (const TrafficSettings& traffic : scenario.traffic) {
    if (auto sound = checkTraffic(scenario, traffic); !sound) return sound;
  }
  if (scenario.truth) {
    if (auto sound = checkTruth(scenario, *scenario.truth); !sound) return sound;
  }
  if (auto sound = checkVariants(scenario); !sound) return sound;
  return checkSweep(scenario);
}

}  // namespace tcpscope::lab
