// Which packets of the packet graphs a finding is about.
#pragma once

#include <vector>

#include "ui/plots/graph_items.h"

namespace tcpscope {

/// Empty where no single packet shows it.
std::vector<GraphItem> packetsOfFinding(RuleId rule);

}  // namespace tcpscope
