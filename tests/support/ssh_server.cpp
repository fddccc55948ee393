#include "tests/support/ssh_server.h"

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/built_paths.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/program.h"

extern char** environ;

namespace tcpscope::test {

namespace {

namespace fs = std::filesystem;

constexpr const char* kServer = "/usr/sbin/sshd";
constexpr const char* kClient = "/usr/bin/ssh";
constexpr const char* kKeyMaker = "/usr/bin/ssh-keygen";

std::string userName() {
  const passwd* user = getpwuid(geteuid());
  return user == nullptr ? std::string() : user->pw_name;
}

std::string textOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// 0 for one that is gone.
pid_t parentOf(pid_t process) {
  const std::string line = textOf("/proc/" + std::to_string(process) + "/stat");
  // "pid (name) state parent …", and a name may hold anything.
  const std::size_t behindName = line.rfind(')');
  if (behindName == std::string::npos || line.size() < behindName + 4) return 0;
  return std::atoi(line.c_str() + behindName + 4);
}

bool makeKey(const fs::path& path) {
  fs::remove(path);
  return runProgram(kKeyMaker, {"-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path.string()}).code == 0;
}

void writeKnownHost(const fs::path& folder, std::uint16_t port, const char* key) {
  std::ofstream(folder / "known_hosts") << "[127.0.0.1]:" << port << " " << textOf(folder / key);
}

void writeClient(const fs::path& folder, std::uint16_t port) {
  writeKnownHost(folder, port, "host_key.pub");
  std::ofstream(folder / "ssh_config") << "IdentityFile " << (folder / "user_key").string()
                                       << "\nIdentitiesOnly yes\nBatchMode yes\nStrictHostKeyChecking yes\n"
                                       << "LogLevel ERROR\nUserKnownHostsFile " << (folder / "known_hosts").string()
                                       << "\nGlobalKnownHostsFile /dev/null\n";
  std::ofstream(folder / "ssh") << "#!/bin/sh\nexec " << kClient << " -F " << (folder / "ssh_config").string()
                                << " \"$@\"\n";
  fs::permissions(folder / "ssh", fs::perms::owner_all);
}

void writeServer(const fs::path& folder, std::uint16_t port) {
  fs::copy_file(folder / "user_key.pub", folder / "authorized_keys");
  fs::create_directory(folder / "tmp");
  std::ofstream(folder / "sshd_config") << "ListenAddress 127.0.0.1:" << port << "\nHostKey "
                                        << (folder / "host_key").string() << "\nAuthorizedKeysFile "
                                        << (folder / "authorized_keys").string()
                                        << "\nPidFile none\nStrictModes no\nPasswordAuthentication no\n"
                                        << "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n"
                                        << "SetEnv PATH=" << (folder / "bin").string()
                                        << ":/usr/bin:/bin STATE_DIRECTORY=" << (folder / "state").string()
                                        << " TMPDIR=" << (folder / "tmp").string() << "\n";
}

}  // namespace

SshServer::SshServer(Installed installed) : m_pathBefore(std::getenv("PATH")) {
  for (const char* program : {kServer, kClient, kKeyMaker}) {
    if (!fs::exists(program)) m_whyNot = std::string("no ") + program + " here";
  }
  if (!m_whyNot.empty()) return;
  std::string name = (fs::temp_directory_path() / "tcpscope-ssh-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  m_folder = name;
  // As the system's own service does before it starts.
  if (geteuid() == 0) mkdir("/run/sshd", 0755);
  m_port = LoopbackListener().port();
  if (!makeKey(m_folder / "host_key") || !makeKey(m_folder / "user_key")) {
    m_whyNot = "no keys could be made";
    return;
  }
  writeClient(m_folder, m_port);
  writeServer(m_folder, m_port);
  fs::create_directory(m_folder / "state");
  fs::create_directory(programs());
  if (installed == Installed::yes) fs::create_symlink(commandLineProgram(), programs() / "tcpscope-cli");
  m_whyNot = start();
  setenv("PATH", (m_folder.string() + ":" + m_pathBefore).c_str(), 1);
}

SshServer::~SshServer() {
  setenv("PATH", m_pathBefore.c_str(), 1);
  stop();
  std::error_code error;
  if (!m_folder.empty()) fs::remove_all(m_folder, error);
}

std::string SshServer::address() const {
  return userName() + "@127.0.0.1:" + std::to_string(m_port);
}

void SshServer::setProgram(const std::string& name, const std::string& lines) const {
  // Replaced, not written through a link.
  const fs::path path = programs() / name;
  fs::remove(path);
  std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
  fs::permissions(path, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
}

void SshServer::forgetKeys() const {
  std::ofstream(m_folder / "authorized_keys").flush();
}

void SshServer::knowKeysAgain() const {
  fs::copy_file(m_folder / "user_key.pub", m_folder / "authorized_keys", fs::copy_options::overwrite_existing);
}

void SshServer::dropConnections() const {
  // It has a process for each.
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process > 0 && parentOf(process) == m_process) kill(process, SIGKILL);
  }
}

void SshServer::changeHostKey() {
  // Of the two that differ it is ssh's that becomes another: a server that stopped for a new one might lose its port.
  if (!makeKey(m_folder / "other_key")) m_whyNot = "no key could be made";
  writeKnownHost(m_folder, m_port, "other_key.pub");
  dropConnections();
}

std::string SshServer::start() {
  const std::string config = (m_folder / "sshd_config").string();
  std::vector<std::string> words = {kServer, "-D", "-e", "-f", config};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (m_folder / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  const int spawned = posix_spawn(&m_process, kServer, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) {
    m_process = -1;
    return "sshd cannot be started";
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!answers()) {
    if (waitpid(m_process, nullptr, WNOHANG) == m_process) {
      m_process = -1;
      return "sshd says: " + textOf(m_folder / "log");
    }
    if (std::chrono::steady_clock::now() > deadline) return "sshd does not answer";
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return {};
}

bool SshServer::answers() const {
  const Descriptor client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(m_port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(client.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

void SshServer::stop() {
  if (m_process < 0) return;
  dropConnections();
  kill(m_process, SIGTERM);
  waitpid(m_process, nullptr, 0);
  m_process = -1;
}

}  // namespace tcpscope::test
