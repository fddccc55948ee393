// Over which span of time the shares are taken: the last seconds, everything, or what the cursors mark.
#pragma once

#include <optional>

#include "core/diagnosis/limits/limit_timeline.h"
#include "ui/feed/selection.h"

namespace tcpscope {

enum class SpanChoice : std::uint8_t { lastFiveSeconds, lastThirtySeconds, everything, cursors };

/// The chosen span of a timeline that ends at `now`. Without cursors their choice falls back to the last 30 s. Never
/// longer than what was observed; absent where nothing was.
std::optional<TimeSpan> chosenSpan(SpanChoice choice, const LimitTimeline& timeline,
                                   const std::optional<TimeSpan>& cursors);

}  // namespace tcpscope
