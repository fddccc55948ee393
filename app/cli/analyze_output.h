// What `analyze` prints for people: what the files were, then every connection whole where there are few, a line each
// where there are many.
#pragma once

#include <vector>

#include "app/cli/text_output.h"
#include "app/session/capture_files.h"

namespace tcpscope {

/// One connection of one of the captures.
struct CapturedPick {
  const AnalysedCapture* capture = nullptr;
  std::size_t index = 0;

  [[nodiscard]] ConnectionAnalysis analysis() const { return capture->analysis.connection(index); }
};

/// More connections become a table.
inline constexpr std::size_t kConnectionsShownWhole = 10;

ExitCode writeAnalysis(const AnalysedFiles& all, const std::vector<CapturedPick>& picks, bool isFiltered, bool color);

}  // namespace tcpscope
