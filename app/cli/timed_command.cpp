#include "app/cli/timed_command.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "collectors/system/child_process.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

std::optional<unsigned> numberFrom(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// The command needs none of the rights that changing settings does.
bool becomeCaller() {
  if (geteuid() != 0) return true;
  const auto user = numberFrom("SUDO_UID");
  const auto group = numberFrom("SUDO_GID");
  if (!user || !group) return true;
  const passwd* const entry = getpwuid(*user);
  const bool hasGroups = entry != nullptr ? initgroups(entry->pw_name, *group) == 0 : setgroups(0, nullptr) == 0;
  return hasGroups && setgid(*group) == 0 && setuid(*user) == 0;
}

}  // namespace

std::optional<TimedRun> runTimed(const std::string& command) {
  const Moment begin = monotonicNow();
  auto child = ChildProcess::fork([&command] {
    std::signal(SIGINT, SIG_DFL);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (becomeCaller()) execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    return 127;
  });
  if (!child) return std::nullopt;
  const ExitStatus status = child->wait();
  const Nanoseconds elapsed = monotonicNow() - begin;
  constexpr int kSignalled = 128;
  return TimedRun{elapsed, status.code().value_or(kSignalled + status.signal().value_or(0))};
}

}  // namespace tcpscope
