// A host behind ssh that is this one.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "tests/support/built_paths.h"

namespace tcpscope::test {

/// Puts a program named ssh into the way, which runs the agent here, for as long as the object lives.
class PretendedSsh {
public:
  PretendedSsh() {
    std::filesystem::create_directory(m_folder);
    connects();
    setenv("PATH", (m_folder + ":" + m_before).c_str(), 1);
  }
  PretendedSsh(const PretendedSsh&) = delete;
  PretendedSsh& operator=(const PretendedSsh&) = delete;
  ~PretendedSsh() {
    setenv("PATH", m_before.c_str(), 1);
    std::filesystem::remove_all(m_folder);
  }

  /// From now on, as at first.
  void connects() const { becomes("exec " + std::string(commandLineProgram()) + " agent"); }
  /// From now on a host without tcpscope-cli, whose shell is started by these words ("nsenter …"), or as it is here.
  void isBareHost(const std::string& shell = {}) const {
    becomes("while [ \"$1\" != -- ]; do shift; done\nshift 2\nPATH=/usr/bin:/bin\nexport PATH\nexec " + shell +
            " sh -c \"$*\"");
  }
  /// For isBareHost() and runsWords(): starts the shell where `ip netns` calls the namespace of this process so. Takes
  /// root.
  [[nodiscard]] std::string shellWithNamespace(const std::string& name, const std::string& pid) const {
    const std::string path = m_folder + "/with-namespace";
    std::ofstream(path) << "#!/bin/sh\nmount -t tmpfs none /run && ip netns attach " << name << " " << pid
                        << " && exec \"$@\"\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return "unshare -m " + path;
  }
  /// From now on a host with this program, reached over loopback; its shell as that of isBareHost().
  void runsWords(const std::string& shell = {}) const {
    becomes("while [ \"$1\" != -- ]; do shift; done\nshift 2\nPATH=" +
            std::filesystem::path(commandLineProgram()).parent_path().string() +
            ":/usr/bin:/bin\nSSH_CONNECTION='127.0.0.1 40000 127.0.0.1 22'\nexport PATH SSH_CONNECTION\nexec " + shell +
            " sh -c \"exec $*\"");
  }
  /// From now on it says this and fails with this code.
  void fails(const std::string& said, int exitCode) const {
    becomes("echo '" + said + "' >&2\nexit " + std::to_string(exitCode));
  }
  /// From now on the host says these bytes and no more.
  void says(std::span<const std::byte> bytes) const {
    const std::string path = m_folder + "/said";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    becomes("cat " + path + kStay);
  }
  /// From now on nothing comes from the host.
  void staysSilent() const { becomes(kStay); }

  /// The words of each start, the oldest first; behind them "detached" where it has no terminal, and how it may open
  /// windows that ask.
  [[nodiscard]] std::vector<std::string> starts() const {
    std::vector<std::string> lines;
    std::ifstream file(m_folder + "/starts");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  /// The host is gone from one moment to the next.
  void endNewest() const {
    pid_t process = 0;
    std::ifstream(m_folder + "/newest") >> process;
    if (process > 0) ::kill(process, SIGKILL);
  }

private:
  /// Until no more requests come; what it could speak through stays open.
  static constexpr const char* kStay = "\nexec cat 3>&1 > /dev/null";

  void becomes(const std::string& script) const {
    const std::string path = m_folder + "/ssh";
    // Replaced, not rewritten: one that still reads it goes on with the old one.
    std::ofstream(path + ".new")
        << "#!/bin/sh\nsession=$(cut -d' ' -f6 /proc/$$/stat)\n[ $session = $$ ] && detached=' "
           "detached'\necho \"$*$detached askpass=$SSH_ASKPASS_REQUIRE\" >> "
        << m_folder << "/starts\necho $$ > " << m_folder << "/newest\n"
        << script << "\n";
    std::filesystem::permissions(path + ".new", std::filesystem::perms::owner_all);
    std::filesystem::rename(path + ".new", path);
  }

  std::string m_before = std::getenv("PATH");
  std::string m_folder = "/tmp/tcpscope-ssh-" + std::to_string(getpid());
};

}  // namespace tcpscope::test
