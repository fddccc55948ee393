// The processes of one lab, found by a mark in the environment that all of them inherit.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tcpscope::test {

struct MarkedProcess {
  pid_t pid = 0;
  std::string name;
};

/// Puts a mark that no other process has into the caller's environment, for the programs that it starts.
inline std::string markEnvironment() {
  static std::atomic<int> marks = 0;
  const std::string value = std::to_string(getpid()) + "-" + std::to_string(++marks);
  setenv("TCPSCOPE_LAB_TEST", value.c_str(), 1);
  return "TCPSCOPE_LAB_TEST=" + value;
}

inline std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

/// Every process of this machine that was started with the mark, in the order of their numbers.
inline std::vector<MarkedProcess> processesWith(const std::string& mark) {
  std::vector<MarkedProcess> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string number = entry.path().filename();
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    if (contentOf(entry.path() / "environ").find(mark + '\0') == std::string::npos) continue;
    std::string name = contentOf(entry.path() / "comm");
    while (!name.empty() && name.back() == '\n') name.pop_back();
    found.push_back({std::stoi(number), name});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
  return found;
}

}  // namespace tcpscope::test
