#include "tests/lab/two_host_scenario.h"

#include <string>
#include <utility>

namespace tcpscope::lab {

Scenario twoHostScenario(std::string_view name, std::string_view title, const LinkSettings& path) {
  Scenario scenario;
  scenario.name = std::string(name);
  scenario.title = std::string(title);
  scenario.path.path = {path, path};
  for (const auto& [host, side] : {std::pair{"sender", PathSide::left}, std::pair{"receiver", PathSide::right}}) {
    HostSettings settings;
    settings.name = host;
    scenario.hosts.push_back(settings);
    AttachedHost attached;
    attached.name = host;
    attached.side = side;
    scenario.path.hosts.push_back(attached);
  }
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
