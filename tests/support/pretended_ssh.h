// A host behind ssh that is this one.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/built_paths.h"

namespace tcpscope::test {

/// Puts a program named ssh into the way, which runs the agent here, for as long as the object lives.
class PretendedSsh {
public:
  PretendedSsh() {
    std::filesystem::create_directory(m_folder);
    const std::string path = m_folder + "/ssh";
    std::ofstream(path) << "#!/bin/sh\nexec " << commandLineProgram() << " agent\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setenv("PATH", (m_folder + ":" + m_before).c_str(), 1);
  }
  PretendedSsh(const PretendedSsh&) = delete;
  PretendedSsh& operator=(const PretendedSsh&) = delete;
  ~PretendedSsh() {
    setenv("PATH", m_before.c_str(), 1);
    std::filesystem::remove_all(m_folder);
  }

private:
  std::string m_before = std::getenv("PATH");
  std::string m_folder = "/tmp/tcpscope-ssh-" + std::to_string(getpid());
};

}  // namespace tcpscope::test
