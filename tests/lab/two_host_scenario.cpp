#include "tests/lab/two_host_scenario.h"

#include <string>

namespace tcpscope::lab {

void addHost(Scenario& scenario, std::string_view name, PathSide side) {
  HostSettings settings;
  settings.name = std::string(name);
  scenario.hosts.push_back(settings);
  AttachedHost attached;
  attached.name = settings.name;
  attached.side = side;
  scenario.path.hosts.push_back(attached);
}

Scenario twoHostScenario(std::string_view name, std::string_view title, const LinkSettings& path) {
  Scenario scenario;
  scenario.name = std::string(name);
  scenario.title = std::string(title);
  scenario.path.path = {path, path};
  addHost(scenario, "sender", PathSide::left);
  addHost(scenario, "receiver", PathSide::right);
  TrafficSettings traffic;
  traffic.name = "main";
  traffic.from = "sender";
  traffic.to = "receiver";
  scenario.traffic = {traffic};
  return scenario;
}

LinkSettings cleanLink(BitsPerSecond rate, Nanoseconds delay, Bytes queue) {
  LinkSettings link;
  link.rate = rate;
  link.delay = delay;
  link.queue.limit = queue;
  return link;
}

}  // namespace tcpscope::lab
