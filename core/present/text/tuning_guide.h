// Which tuning of TCP for which load: what to use on Linux today, why, where tcpscope helps, and what the comparison of
// Weigle and Feng (2002, section 5) recommended.
#pragma once

#include <span>
#include <string_view>

#include "core/advice/tuning_load.h"

namespace tcpscope {

inline constexpr std::string_view kTuningGuideTitle = "Which tuning for which load";

/// What the table is, and its source.
std::string_view tuningGuideIntroduction();

struct TuningGuideRow {
  /// A noun phrase.
  std::string_view load;
  std::string_view use;
  std::string_view why;
  std::string_view inTcpscope;
  std::string_view paper;
};
TuningGuideRow guideRow(TuningLoad load);

/// What the paper has done first in all cases.
struct TuningFirstStep {
  std::string_view step;
  std::string_view today;
};
std::span<const TuningFirstStep> tuningFirstSteps();

}  // namespace tcpscope
