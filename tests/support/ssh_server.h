// A real OpenSSH server on loopback with keys of its own, and an ssh in the way of programs that knows them; both go
// with the object.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace tcpscope::test {

/// Whether a login there finds tcpscope-cli in its path.
enum class Installed : std::uint8_t { yes, no };

class SshServer {
public:
  /// Empty where it runs; else why it cannot.
  [[nodiscard]] const std::string& whyNot() const { return m_whyNot; }

  explicit SshServer(Installed installed = Installed::yes);
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;
  ~SshServer();

  /// "user@127.0.0.1:PORT", for a user who may come in.
  [[nodiscard]] std::string address() const;
  /// First in the way of programs there; has tcpscope-cli where it is installed.
  [[nodiscard]] std::filesystem::path programs() const { return m_folder / "bin"; }
  /// From now on this is a program there: the lines of a shell.
  void setProgram(const std::string& name, const std::string& lines) const;
  /// The TMPDIR of those who log in.
  [[nodiscard]] std::filesystem::path temporaryFolder() const { return m_folder / "tmp"; }
  /// From now on no key is accepted.
  void forgetKeys() const;
  /// From now on the first key opens again.
  void knowKeysAgain() const;
  /// Ends the connections that there are; new ones may come.
  void dropConnections() const;
  /// From now on it has another host key than the one that ssh knows; connections end.
  void changeHostKey();

private:
  std::string start();
  bool answers() const;
  void stop();

  std::filesystem::path m_folder;
  std::string m_pathBefore;
  std::string m_whyNot;
  std::uint16_t m_port = 0;
  pid_t m_process = -1;
};

}  // namespace tcpscope::test
