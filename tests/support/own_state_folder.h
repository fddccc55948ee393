// The folder in which programs that a test starts keep what they remember (journal, path history): a fresh one that
// goes with the object, instead of the user's.
#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv

#include "tests/support/own_folder.h"

namespace tcpscope::test {

class OwnStateFolder {
public:
  OwnStateFolder() { setenv("STATE_DIRECTORY", path().c_str(), 1); }
  OwnStateFolder(const OwnStateFolder&) = delete;
  OwnStateFolder& operator=(const OwnStateFolder&) = delete;
  ~OwnStateFolder() { unsetenv("STATE_DIRECTORY"); }

  [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }

private:
  OwnFolder m_folder;
};

}  // namespace tcpscope::test
