// `verify`: runs a command with a change and without it in turn, and says whether the change made it faster.
#include <array>
#include <csignal>

#include "app/cli/change_output.h"
#include "app/cli/changed_place.h"
#include "app/cli/commands.h"
#include "app/cli/timed_command.h"
#include "app/session/local_place.h"
#include "core/experiment/sample_comparison.h"
#include "core/report/change_document.h"

namespace tcpscope {

namespace {

struct Samples {
  std::vector<double> before;
  std::vector<double> after;
};

/// One run, in seconds, or the exit code after it was told why there is none.
Expected<double, ExitCode> sample(HostChanges& changes, const CommandOptions& options, SettingVersion version) {
  if (const auto chosen = changes.choose(options.change.change, version); !chosen) {
    return tl::unexpected(fail(chosen.error()));
  }
  const auto run = runTimed(options.filterText);
  if (!run) return tl::unexpected(fail(ExitCode::systemFailed, "the command could not be started"));
  if (run->exitCode != 0) {
    return tl::unexpected(fail(ExitCode::systemFailed, "the command ended with " + std::to_string(run->exitCode) +
                                                           "; what is timed has to succeed each time"));
  }
  return toSeconds(run->elapsed);
}

/// In pairs, of which every second begins with the change: what drifts meanwhile weighs on both sides.
Expected<Samples, ExitCode> sampleInTurn(HostChanges& changes, const CommandOptions& options) {
  Samples samples;
  for (std::uint32_t pair = 0; pair < options.change.runs; ++pair) {
    std::array order = {SettingVersion::original, SettingVersion::changed};
    if (pair % 2 == 1) std::swap(order[0], order[1]);
    for (const SettingVersion version : order) {
      const auto seconds = sample(changes, options, version);
      if (!seconds) return tl::unexpected(seconds.error());
      (version == SettingVersion::original ? samples.before : samples.after).push_back(*seconds);
    }
  }
  return samples;
}

}  // namespace

ExitCode verifyCommand(const CommandOptions& options) {
  if (options.filterText.empty()) {
    return fail(ExitCode::wrongUsage, "say behind '--' which command to time, such as: -- curl -so /dev/null URL");
  }
  auto changes = changesOf(options);
  if (!changes) return changes.error();
  // As it is left in the end: whoever cannot set that has nothing to compare.
  if (const auto begun = changes->choose(options.change.change, SettingVersion::changed); !begun) {
    return fail(begun.error());
  }
  // Ctrl+C ends the command, and with it the comparison; the settings still have to come back.
  std::signal(SIGINT, SIG_IGN);
  const auto samples = sampleInTurn(*changes, options);
  const auto back = changes->choose(options.change.change, SettingVersion::changed);
  // First: settings that did not come back weigh more than a command that failed.
  if (!back) return fail(back.error());
  if (!samples) return samples.error();
  const SampleComparison comparison = compare(samples->before, samples->after);
  TextBuffer out;
  appendComparison(out, options.change.change, comparison);
  const ExitCode code = options.json ? writeOut(toJson(options.change.change, comparison, wallNow()))
                                     : writeOut({out.data(), out.size()});
  if (code != ExitCode::done) return code;
  return comparison.isDecided() && comparison.ratio > 1.0 ? code : ExitCode::notThere;
}

}  // namespace tcpscope
