// The JSON document `tcpscope.paths`: what is known of paths, and of one that was asked for the buffers that a next
// connection should have.
#pragma once

#include <string>
#include <vector>

#include "core/advice/path_advice.h"

namespace tcpscope {

struct PathDocumentRow {
  PathEntry entry;
  /// Empty where no path was asked for.
  std::vector<BufferAdvice> buffers{};
};

/// One document with a final newline.
std::string toJson(const std::vector<PathDocumentRow>& paths, WallTime time);

/// The JSON Schema, as installed and tested.
std::string_view pathsSchema();

}  // namespace tcpscope
