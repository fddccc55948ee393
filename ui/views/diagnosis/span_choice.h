// Over which span of time the shares are taken: the last seconds, everything, what the cursors mark, or the transfer.
#pragma once

#include <optional>

#include "core/diagnosis/limits/limit_timeline.h"
#include "ui/feed/selection.h"

namespace tcpscope {

/// Stored by number.
enum class SpanChoice : std::uint8_t { lastFiveSeconds, lastThirtySeconds, everything, cursors, transfer };

/// The chosen span of a timeline that ends at `now`. The transfer is that of `side`, without the silence before and
/// after it. Without cursors their choice falls back to the last 30 s. Never longer than what was observed; absent
/// where nothing was.
std::optional<TimeSpan> chosenSpan(SpanChoice choice, const LimitTimeline& timeline, Side side,
                                   const std::optional<TimeSpan>& cursors);

}  // namespace tcpscope
