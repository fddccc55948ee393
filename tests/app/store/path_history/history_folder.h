// A temporary folder for a path history, removed with the object.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace tcpscope::test {

class HistoryFolder {
public:
  HistoryFolder() {
    std::string pattern = ::testing::TempDir() + "tcpscope-paths-XXXXXX";
    m_parent = mkdtemp(pattern.data());
  }
  ~HistoryFolder() { std::filesystem::remove_all(m_parent); }
  HistoryFolder(const HistoryFolder&) = delete;
  HistoryFolder& operator=(const HistoryFolder&) = delete;

  /// Not made yet.
  [[nodiscard]] std::filesystem::path path() const { return m_parent / "paths"; }
  [[nodiscard]] std::filesystem::path file() const { return path() / "book.sqlite"; }

private:
  std::filesystem::path m_parent;
};

}  // namespace tcpscope::test
