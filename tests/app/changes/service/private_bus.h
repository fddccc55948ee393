// A private system bus, run by Debian's dbus-daemon with the policy that is installed: it starts the helper of this
// build on the first call, with no more rights than its service has.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/changes/bus/bus_handles.h"
#include "app/changes/bus/helper_names.h"
#include "tests/support/built_paths.h"

extern char** environ;

namespace tcpscope::test {

class PrivateBus {
public:
  static bool isPossible() { return access(kDaemon, X_OK) == 0; }

  /// `options` are the helper's; without any it is not known to the bus. `prefix` are words before it.
  explicit PrivateBus(const std::string& options, const std::string& prefix = {}) {
    std::string name = (std::filesystem::temp_directory_path() / "tcpscope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    m_folder = name;
    // Other users have a way to the bus.
    chmod(name.c_str(), 0755);
    std::filesystem::create_directory(m_folder / "services");
    if (!options.empty()) {
      std::ofstream(m_folder / "services" / "helper.service")
          << "[D-BUS Service]\nName=" << kHelperName << "\nExec=" << prefix
          << "/usr/bin/setpriv --no-new-privs --bounding-set=-all,+net_admin " << helperProgram() << ' ' << options
          << '\n';
    }
    std::ofstream(m_folder / "bus.conf") << configuration();
    setenv("DBUS_SYSTEM_BUS_ADDRESS", ("unix:path=" + (m_folder / "bus").string()).c_str(), 1);
    setenv("STATE_DIRECTORY", (m_folder / "state").c_str(), 1);
    start();
  }
  PrivateBus(const PrivateBus&) = delete;
  PrivateBus& operator=(const PrivateBus&) = delete;
  ~PrivateBus() {
    // The helper ends with its bus.
    kill(m_daemon, SIGTERM);
    waitpid(m_daemon, nullptr, 0);
    unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
    unsetenv("STATE_DIRECTORY");
    std::error_code error;
    std::filesystem::remove_all(m_folder, error);
  }

  static BusHandle connect() {
    sd_bus* bus = nullptr;
    if (sd_bus_open_system(&bus) < 0) std::abort();
    return BusHandle(bus);
  }
  static bool hasHelper() { return sd_bus_get_name_creds(connect().get(), kHelperName, 0, nullptr) >= 0; }
  static std::filesystem::path installedFile(const std::string& name) {
    return testData().parent_path().parent_path() / "app/packaging/helper" / name;
  }

private:
  static constexpr const char* kDaemon = "/usr/bin/dbus-daemon";

  /// The rules of a system bus: owning a name and calling a method are denied unless allowed.
  [[nodiscard]] std::string configuration() const {
    return "<busconfig><listen>unix:path=" + (m_folder / "bus").string() +
           "</listen><auth>EXTERNAL</auth>"
           "<servicedir>" +
           (m_folder / "services").string() +
           "</servicedir>"
           "<policy context='default'><allow user='*'/><deny own='*'/><deny send_type='method_call'/>"
           "<allow send_type='signal'/><allow send_requested_reply='true' send_type='method_return'/>"
           "<allow send_requested_reply='true' send_type='error'/><allow receive_type='method_call'/>"
           "<allow receive_type='method_return'/><allow receive_type='error'/><allow receive_type='signal'/>"
           "<allow send_destination='org.freedesktop.DBus' send_interface='org.freedesktop.DBus'/>"
           "<allow send_destination='org.freedesktop.PolicyKit1'/></policy>"
           "<policy user='root'><allow own='org.freedesktop.PolicyKit1'/></policy><include>" +
           installedFile("org.tcpscope.Helper1.conf").string() + "</include></busconfig>";
  }

  void start() {
    std::array<int, 2> out{};
    if (pipe2(out.data(), O_CLOEXEC) != 0) std::abort();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::string program = kDaemon;
    std::string configured = "--config-file=" + (m_folder / "bus.conf").string();
    std::string attached = "--nofork";
    std::string reported = "--print-address=1";
    std::array<char*, 5> words = {program.data(), configured.data(), attached.data(), reported.data(), nullptr};
    if (posix_spawn(&m_daemon, kDaemon, &actions, nullptr, words.data(), environ) != 0) std::abort();
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    // It prints its address once it listens.
    char letter = 0;
    while (read(out[0], &letter, 1) == 1 && letter != '\n') {
    }
    close(out[0]);
  }

  std::filesystem::path m_folder;
  pid_t m_daemon = -1;
};

}  // namespace tcpscope::test
