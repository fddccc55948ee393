// The folder in which programs that a test starts keep what they remember (journal, path history): a fresh one that
// goes with the object, instead of the user's.
#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv and mkdtemp

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tcpscope::test {

class OwnStateFolder {
public:
  OwnStateFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tcpscope-state-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    m_path = name;
    setenv("STATE_DIRECTORY", name.c_str(), 1);
  }
  OwnStateFolder(const OwnStateFolder&) = delete;
  OwnStateFolder& operator=(const OwnStateFolder&) = delete;
  ~OwnStateFolder() {
    unsetenv("STATE_DIRECTORY");
    std::error_code error;
    std::filesystem::remove_all(m_path, error);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
  std::filesystem::path m_path;
};

}  // namespace tcpscope::test
