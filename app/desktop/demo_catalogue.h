// What the desktop offers as demos: the lab's bundled scenarios but large grids, which are for tables and not for
// watching. Of a comparison the first variant runs.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/lab/scenario/scenario.h"
#include "core/model/endpoint.h"
#include "ui/feed/demo_port.h"

namespace tcpscope {

/// Its fault shows within seconds and needs no luck.
inline constexpr std::string_view kDefaultDemo = "locked_send_buffer";

struct Demo {
  lab::Scenario scenario;
  /// The connection that the answer is about, or the first, as its sending end sees it.
  Endpoint local;
  Endpoint remote;
  /// The traffic that it belongs to.
  std::string traffic;
};

/// In the order that people read them.
std::vector<Demo> demoCatalogue();
std::optional<std::size_t> findDemo(const std::vector<Demo>& demos, std::string_view name);

/// As the window describes it.
DemoScenario descriptionOf(const Demo& demo);
/// Lets the main connection through, and only its sending end.
ConnectionFilter mainConnection(const Demo& demo);

}  // namespace tcpscope
