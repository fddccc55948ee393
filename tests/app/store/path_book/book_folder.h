// A folder of its own for a path book, gone with the object.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace tcpscope::test {

class BookFolder {
public:
  BookFolder() {
    std::string pattern = ::testing::TempDir() + "tcpscope-paths-XXXXXX";
    m_parent = mkdtemp(pattern.data());
  }
  ~BookFolder() { std::filesystem::remove_all(m_parent); }
  BookFolder(const BookFolder&) = delete;
  BookFolder& operator=(const BookFolder&) = delete;

  /// Not made yet.
  [[nodiscard]] std::filesystem::path path() const { return m_parent / "paths"; }
  [[nodiscard]] std::filesystem::path file() const { return path() / "book.sqlite"; }

private:
  std::filesystem::path m_parent;
};

}  // namespace tcpscope::test
