// The lines of a scenario's text as a list of settings, each with its full key ("path.forward.delay"): sections are
// prefixes, comments and blank lines are gone, continued lines are joined. What the keys mean is not known here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/session/scenario_error.h"

namespace tcpscope::lab {

struct DocumentEntry {
  /// For the head of a section: its words joined by dots.
  std::string key;
  /// Without blanks at its ends.
  std::string value;
  /// From 1.
  std::size_t line = 0;
  bool isSection = false;
};

/// At most 64 KiB and 2,000 lines. The same key twice is an error.
Expected<std::vector<DocumentEntry>, ScenarioError> readDocument(std::string_view text);

}  // namespace tcpscope::lab
