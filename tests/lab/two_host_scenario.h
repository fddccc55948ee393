// What the scenarios of these programs begin with: a sender on the left, a receiver on the right.
#pragma once

#include <string_view>

#include "app/lab/scenario/scenario.h"

namespace tcpscope::lab {

/// Another host, as Linux comes, at that side of the path.
void addHost(Scenario& scenario, std::string_view name, PathSide side);

/// Hosts "sender" and "receiver" as Linux comes, the same link both ways between them, and a transfer "main" from the
/// one to the other that never ends.
Scenario twoHostScenario(std::string_view name, std::string_view title, const LinkSettings& path);

/// So fast, `delay` one way, and such a queue; nothing is lost but there.
LinkSettings cleanLink(BitsPerSecond rate, Nanoseconds delay, Bytes queue);

}  // namespace tcpscope::lab
