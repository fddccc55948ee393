// A folder of a fuzzer's own, for a parser that reads files: it goes away when the process exits.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/base/invariant.h"

namespace tcpscope::fuzz {

class OwnFolder {
public:
  OwnFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tcpscope-fuzz-XXXXXX").string();
    TCPSCOPE_INVARIANT(mkdtemp(pattern.data()) != nullptr);
    m_path = pattern;
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
  std::filesystem::path m_path;
};

}  // namespace tcpscope::fuzz
