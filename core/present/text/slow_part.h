// Who takes most of the time where requests and responses alternate, by the figures of a verdict or a finding.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/evidence/finding.h"

namespace tcpscope {

enum class SlowPart : std::uint8_t { here, path, peer };

/// Nothing where the figures have no shares of exchanges.
std::optional<SlowPart> slowPart(const std::vector<Evidence>& figures);

}  // namespace tcpscope
