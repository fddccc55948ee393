// A host to change behind a real ssh: an sshd in a network namespace of the test's own, so that its settings are that
// namespace's, with a journal of its own.
#pragma once

#include <gtest/gtest.h>

#include "app/desktop/change_process.h"
#include "app/desktop/command_process.h"
#include "app/desktop/host_changer.h"
#include "collectors/host/place_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/app/changes/changed_host.h"
#include "tests/app/desktop/change_settled.h"
#include "tests/support/own_namespace.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"

namespace tcpscope::test {

inline constexpr PlaceId kHostOverSsh{500'000};
inline constexpr std::string_view kSmallBuffers = "4096 131072 131072";
inline constexpr std::string_view kLargeBuffers = "4096 131072 6291456";

class ChangedOverSsh : public testing::Test {
protected:
  void SetUp() override {
    // An sshd in a user namespace with a single user refuses every login.
    if (geteuid() != 0) GTEST_SKIP() << "an sshd in a network namespace of its own takes root";
    if (!hasOwnNamespace()) enterOwnNamespace();
    if (!hasOwnNamespace()) GTEST_SKIP() << "no network namespace of one's own here";
    runProgram("/bin/sh", {"-c", "PATH=$PATH:/usr/sbin:/sbin; ip link set lo up"});
    m_server.emplace();
    if (!m_server->whyNot().empty()) GTEST_SKIP() << m_server->whyNot();
    ChangedHost::set(kRmem, std::string(kSmallBuffers));
    m_host = {m_server->address(), true};
  }

  static std::string setting() { return ChangedHost::setting(kRmem); }
  [[nodiscard]] static HostChangeRequest request() {
    return {readPlace(kHostOverSsh),
            SettingKind::sysctl,
            {{SettingKind::sysctl, kRmem, std::nullopt, std::string(kLargeBuffers)}}};
  }
  [[nodiscard]] HostChangerParts parts() {
    return {{"/nonexistent/tcpscope-cli", runCommand, {}, runSsh},
            [this] { return monotonicNow() + m_ahead; },
            [this](PlaceId place) { return place == kHostOverSsh ? m_host : std::nullopt; }};
  }
  /// From now on the command line there does what it does, says so by a file, and answers `change` commands only when
  /// it may.
  void holdAnswers() const {
    const std::string folder = m_server->programs().string();
    m_server->setProgram("tcpscope-cli",
                         "answer=$(" + commandLineProgram() + " \"$@\"); code=$?\ncase \"$*\" in *--yes*) touch " +
                             folder + "/done; tries=0; while [ ! -e " + folder +
                             "/go ] && [ $tries -lt 1200 ]; do sleep 0.05; tries=$((tries + 1)); done;; esac\n"
                             "printf '%s\\n' \"$answer\"; exit $code");
  }
  [[nodiscard]] bool isDone() const { return std::filesystem::exists(m_server->programs() / "done"); }
  void letAnswersGo() const { std::ofstream(m_server->programs() / "go").flush(); }
  /// From now on logins there are not root, and sudo is this.
  void setSudo(const std::string& lines) const {
    m_server->setProgram("id", "echo 1000");
    m_server->setProgram("sudo", lines);
  }

  std::optional<SshServer> m_server;
  std::optional<RemoteHost> m_host;
  /// Of the clock.
  Nanoseconds m_ahead{0};
};

}  // namespace tcpscope::test
