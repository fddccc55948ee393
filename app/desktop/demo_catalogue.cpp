#include "app/desktop/demo_catalogue.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "app/lab/traffic/traffic_plan.h"
#include "core/present/text/lab_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// More points than this are a grid that is meant for a table.
constexpr std::size_t kMostVariants = 2;

std::optional<Demo> demoOf(const lab::BundledScenario& bundled) {
  const auto parsed = lab::parseScenario(bundled.text);
  if (!parsed) return std::nullopt;
  const auto cells = lab::sweepCells(*parsed);
  if (cells.size() > kMostVariants) return std::nullopt;
  auto scenario = lab::cellOf(*parsed, cells.front());
  if (!scenario) return std::nullopt;
  const auto plans = lab::planTraffic(*scenario);
  if (!plans || plans->empty()) return std::nullopt;
  const std::string main = scenario->truth ? scenario->truth->traffic : plans->front().settings.name;
  const auto plan = std::find_if(plans->begin(), plans->end(),
                                 [&](const lab::TrafficPlan& one) { return one.settings.name == main; });
  if (plan == plans->end()) return std::nullopt;
  return Demo{std::move(*scenario), plan->sourceOf(0), plan->destination, main};
}

std::string settingOf(const lab::DuplexSettings& path) {
  const std::string rate = path.forward.rate ? "carries up to " + formatRate(*path.forward.rate) : "limits no rate";
  return fmt::format("The path {}; without queues its RTT is {}.", rate,
                     formatTime(toSeconds(path.forward.delay + path.backward.delay)));
}

}  // namespace

std::vector<Demo> demoCatalogue() {
  std::vector<Demo> demos;
  for (const lab::BundledScenario& bundled : lab::scenarioCatalogue()) {
    if (auto demo = demoOf(bundled)) demos.push_back(std::move(*demo));
  }
  return demos;
}

std::optional<std::size_t> findDemo(const std::vector<Demo>& demos, std::string_view name) {
  const auto found =
      std::find_if(demos.begin(), demos.end(), [&](const Demo& one) { return one.scenario.name == name; });
  if (found == demos.end()) return std::nullopt;
  return static_cast<std::size_t>(found - demos.begin());
}

DemoScenario descriptionOf(const Demo& demo) {
  const lab::Scenario& scenario = demo.scenario;
  return {scenario.name,
          scenario.title,
          settingOf(scenario.path.path),
          scenario.story,
          scenario.truth ? lab::sentence(*scenario.truth) : std::string(),
          scenario.truth ? std::optional(scenario.truth->limit) : std::nullopt};
}

ConnectionFilter mainConnection(const Demo& demo) {
  const auto filter =
      ConnectionFilter::parse(fmt::format("src {} and dst {}", demo.local.toString(), demo.remote.toString()));
  return filter.value_or(ConnectionFilter());
}

}  // namespace tcpscope
