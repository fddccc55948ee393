// The public captures that the project includes, and what other programs report about each.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/support/built_paths.h"

namespace tcpscope::test {

inline std::filesystem::path publicCaptures() {
  return testData() / "captures";
}

/// A document for each capture, in the order of their names.
inline std::vector<std::filesystem::path> publicExpectations() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(publicCaptures() / "expected")) {
    if (entry.path().filename().string().find(".pcap") != std::string::npos) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tcpscope::test
