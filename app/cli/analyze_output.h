// What `analyze` prints for people: what the files were, then every connection whole where there are few, a line each
// where there are many.
#pragma once

#include <vector>

#include "app/cli/connection_order.h"
#include "app/cli/text_output.h"

namespace tcpscope {

/// More connections become a table, unless details are asked for.
inline constexpr std::size_t kConnectionsShownWhole = 10;

struct AnalysisForm {
  bool isFiltered = false;
  bool color = false;
  /// Every connection whole, however many they are.
  bool details = false;
  std::optional<ConnectionOrder> order;
  /// Of that order the first; absent: all.
  std::optional<std::size_t> top;

  [[nodiscard]] bool isOrdered() const { return order || top; }
  [[nodiscard]] ConnectionOrder orderOrWorst() const { return order.value_or(ConnectionOrder::worst); }
};

ExitCode writeAnalysis(const AnalysedFiles& all, const std::vector<CapturedPick>& picks, const AnalysisForm& form);

}  // namespace tcpscope
