#include "app/lab/scenario/scenario_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "app/lab/scenario/scenario_keys.h"

namespace tcpscope::lab {

namespace {

class Writer {
public:
  void section(std::string_view words) { fmt::format_to(std::back_inserter(m_text), "\n[{}]\n", words); }
  void setting(std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(m_text), "{} = {}\n", key, value);
  }
  template <class Target>
  void settings(const Target& target, std::span<const KeyRow<Target>> rows) {
    for (const auto& row : rows) {
      if (const auto value = row.write(target)) setting(row.key, *value);
    }
  }
  void duplex(std::string_view section, const DuplexSettings& duplex) {
    direction(fmt::format("{}.forward", section), duplex.forward);
    direction(fmt::format("{}.backward", section), duplex.backward);
  }
  std::string take() { return std::move(m_text); }

private:
  void direction(std::string_view words, const LinkSettings& link) {
    if (link == LinkSettings{}) return;
    section(words);
    settings(link, linkKeys());
  }

  std::string m_text;
};

}  // namespace

std::string writeScenario(const Scenario& scenario) {
  Writer writer;
  writer.settings(scenario, scenarioKeys());
  writer.duplex("path", scenario.path.path);
  for (std::size_t number = 0; number < scenario.hosts.size(); ++number) {
    const HostSettings& host = scenario.hosts[number];
    const AttachedHost& attached = scenario.path.hosts[number];
    writer.section("host " + host.name);
    writer.setting("side", attached.side == PathSide::left ? "left" : "right");
    if (host.mtu != HostSettings().mtu) writer.setting("mtu", sizeText(host.mtu));
    if (const auto& clamp = host.congestionWindowClamp) writer.setting("cwnd_lock", std::to_string(clamp->value()));
    if (const auto& window = host.initialCongestionWindow) writer.setting("initcwnd", std::to_string(window->value()));
    for (const auto& [key, value] : host.sysctls) writer.setting(key, value);
    writer.duplex("access " + host.name, attached.access);
  }
  for (const TrafficSettings& traffic : scenario.traffic) {
    writer.section("traffic " + traffic.name);
    writer.settings(traffic, trafficKeys());
  }
  if (scenario.truth) {
    writer.section("truth");
    writer.settings(*scenario.truth, truthKeys());
  }
  for (const Variant& variant : scenario.variants) {
    writer.section(fmt::format("variant {} {}", variant.axis, variant.value));
    for (const Assignment& setting : variant.settings) writer.setting(setting.key, setting.value);
  }
  if (!scenario.sweep.empty()) writer.section("sweep");
  for (const SweepAxis& axis : scenario.sweep) writer.setting(axis.key, listText(axis.values));
  return writer.take();
}

}  // namespace tcpscope::lab
