// `verify`: sets a change and what was before it in turn, and says whether the change made something faster: a command
// that it runs, or the transfers that begin meanwhile.
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/changes/execute/setting_comparison.h"
#include "app/cli/change_output.h"
#include "app/cli/changed_place.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/interruption.h"
#include "app/session/local_place.h"
#include "app/session/polled_session.h"
#include "collectors/system/child_process.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/expected.h"
#include "core/base/sample_comparison.h"
#include "core/base/units.h"
#include "core/present/json/change_document.h"

namespace tcpscope {

namespace {

struct TimedRun {
  Nanoseconds elapsed{0};
  /// Of the shell; 128 and the signal's number where one ended it.
  int exitCode = 0;
};

std::optional<unsigned> numberFrom(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// The command needs none of the rights that changing settings does. False where sudo or pkexec name the caller, but
/// this process cannot become that user.
bool becomeCaller() {
  if (geteuid() != 0) return true;
  const bool isBehindSudo = std::getenv("SUDO_UID") != nullptr;
  if (!isBehindSudo && std::getenv("PKEXEC_UID") == nullptr) return true;
  const auto user = numberFrom(isBehindSudo ? "SUDO_UID" : "PKEXEC_UID");
  if (!user) return false;
  if (*user == 0) return true;
  const passwd* const entry = getpwuid(*user);
  // pkexec names no group.
  const auto primaryGroup = entry != nullptr ? std::optional<unsigned>(entry->pw_gid) : std::nullopt;
  const auto group = isBehindSudo ? numberFrom("SUDO_GID") : primaryGroup;
  if (!group) return false;
  const bool hasGroups = entry != nullptr ? initgroups(entry->pw_name, *group) == 0 : setgroups(0, nullptr) == 0;
  return hasGroups && setgid(*group) == 0 && setuid(*user) == 0;
}

/// Whether a process of its own can.
bool canBecomeCaller() {
  auto child = ChildProcess::fork([] { return becomeCaller() ? 0 : 1; });
  return child && child->wait().code() == 0;
}

/// By the shell, with the terminal of this program but for standard output, which goes to standard error: so that the
/// comparison alone is on standard output. Behind sudo or pkexec it runs as the user who called that. Nothing where it
/// cannot be started.
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

constexpr double kFewestBytes = 128.0 * 1024.0;
constexpr Nanoseconds kShortestSeen = std::chrono::milliseconds(500);

/// In bit/s; absent for a connection that existed before, or carried too little for a rate.
std::optional<double> goodputOf(const ConnectionRow& row, Moment firstPoll, Moment lastPoll) {
  const Nanoseconds seen = (row.closed ? row.closedAt : lastPoll) - row.firstSeen;
  const auto bytes = static_cast<double>(std::max(row.sentBytes, row.receivedBytes));
  if (row.firstSeen <= firstPoll || seen < kShortestSeen || !(bytes >= kFewestBytes)) return std::nullopt;
  return bytes * kBitsPerByte / toSeconds(seen);
}

/// Where both ends are in this namespace, the transfer is one.
bool isPeer(const ConnectionRow& one, const ConnectionRow& other) {
  return one.local == other.remote && one.remote == other.local;
}

/// The mean goodput in bit/s of each connection of this process's network namespace that began in the span, moved
/// kFewestBytes or more, and was seen for kShortestSeen. Both directions count, whichever carried more. An error was
/// already printed.
Expected<std::vector<double>, ExitCode> goodputsOfNewTransfers(Nanoseconds span, const Interruption& interruption) {
  constexpr Milliseconds kPollInterval{50};
  const auto place = findLocalPlace({});
  if (!place) return tl::unexpected(fail(place.error()));
  LocalSessionSettings settings;
  settings.resolveOwners = false;
  const auto session = PolledSession::open(*place, settings);
  if (!session) return tl::unexpected(fail(session.error()));
  (*session)->poll();
  const Moment firstPoll = (*session)->tick()->time;
  const Moment end = monotonicNow() + span;
  std::shared_ptr<const SessionSnapshot> snapshot;
  do {
    interruption.waitUntil(std::min(monotonicNow() + kPollInterval, end));
    (*session)->poll();
    snapshot = (*session)->tick();
  } while (monotonicNow() < end && !interruption.happened());

  std::vector<double> goodputs;
  std::vector<ConnectionRow> counted;
  for (const std::uint32_t slot : *snapshot->order) {
    const ConnectionRow row = snapshot->row(slot);
    const auto goodput = goodputOf(row, firstPoll, snapshot->time);
    const auto isCounted = [&](const ConnectionRow& one) { return isPeer(one, row); };
    if (!goodput || std::any_of(counted.begin(), counted.end(), isCounted)) continue;
    counted.push_back(row);
    goodputs.push_back(*goodput);
  }
  return goodputs;
}

struct Samples {
  std::vector<double> before;
  std::vector<double> after;
};

using Sampled = Expected<std::vector<double>, ExitCode>;

/// One run, in seconds, or the exit code after printing why there is none.
Sampled timeCommand(const std::string& command) {
  const auto run = runTimed(command);
  if (!run) return tl::unexpected(fail(ExitCode::systemFailed, "the command could not be started"));
  if (run->exitCode != 0) {
    return tl::unexpected(fail(ExitCode::systemFailed, "the command ended with " + std::to_string(run->exitCode) +
                                                           "; it has to succeed every time"));
  }
  return std::vector{toSeconds(run->elapsed)};
}

/// In pairs, of which every second begins with the change: what drifts meanwhile weighs on both sides.
Expected<Samples, ExitCode> sampleInTurn(SettingComparison& comparison, const ChangeOptions& options,
                                         const std::function<Sampled()>& sample) {
  Samples samples;
  for (std::uint32_t pair = 0; pair < options.runs; ++pair) {
    std::array order = {SettingVersion::original, SettingVersion::changed};
    if (pair % 2 == 1) std::swap(order[0], order[1]);
    for (const SettingVersion version : order) {
      if (const auto chosen = comparison.choose(version); !chosen) {
        return tl::unexpected(fail(chosen.error()));
      }
      const auto values = sample();
      if (!values) return tl::unexpected(values.error());
      auto& side = version == SettingVersion::original ? samples.before : samples.after;
      side.insert(side.end(), values->begin(), values->end());
    }
  }
  return samples;
}

/// Ctrl+C ends the measurement and the comparison; the settings still have to be restored.
Expected<Samples, ExitCode> sampleCommand(SettingComparison& comparison, const CommandOptions& options) {
  std::signal(SIGINT, SIG_IGN);
  return sampleInTurn(comparison, options.change, [&] { return timeCommand(options.filterText); });
}

Expected<Samples, ExitCode> sampleTransfers(SettingComparison& comparison, const CommandOptions& options) {
  const Interruption interruption;
  return sampleInTurn(comparison, options.change, [&]() -> Sampled {
    auto goodputs = goodputsOfNewTransfers(nanosecondsOf(options.forSeconds), interruption);
    if (goodputs && interruption.happened()) {
      return tl::unexpected(fail(ExitCode::notThere, "interrupted before the end of the measurement"));
    }
    return goodputs;
  });
}

}  // namespace

ExitCode verifyCommand(const CommandOptions& options) {
  auto changes = changesOf(options);
  if (!changes) return changes.error();
  const SampleKind kind = options.filterText.empty() ? SampleKind::transfers : SampleKind::runs;
  if (kind == SampleKind::runs && !canBecomeCaller()) {
    return fail(ExitCode::missingRight,
                "the command would run as root, because this process cannot become the user of SUDO_UID or PKEXEC_UID");
  }
  // The state at the end comes first: without permission to set it, there is nothing to compare.
  auto turns = SettingComparison::begin(std::move(*changes), options.change.change);
  if (!turns) return fail(turns.error());
  const auto samples = kind == SampleKind::runs ? sampleCommand(*turns, options) : sampleTransfers(*turns, options);
  const auto back = turns->choose(SettingVersion::changed);
  // First: settings that did not come back weigh more than a command that failed.
  if (!back) return fail(back.error());
  if (!samples) return samples.error();
  if (samples->before.empty() || samples->after.empty()) {
    return fail(ExitCode::notThere,
                "no transfer of at least half a second started during the measurement; increase --for, or give a "
                "command to time after '--'");
  }
  const SampleComparison comparison = compare(samples->before, samples->after);
  TextBuffer out;
  appendComparison(out, options.change.change, comparison, kind);
  const ExitCode code = options.json ? writeOut(toJson(options.change.change, comparison, kind, wallNow()))
                                     : writeOut({out.data(), out.size()});
  if (code != ExitCode::done) return code;
  return comparison.isDecided() && speedup(comparison, kind) > 1.0 ? code : ExitCode::notThere;
}

}  // namespace tcpscope
