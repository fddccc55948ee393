// `verify`: sets a change and what was before it in turn, and says whether the change made something faster: a command
// that it runs, or the transfers that begin meanwhile.
#include <array>
#include <csignal>
#include <functional>

#include "app/cli/change_output.h"
#include "app/cli/changed_place.h"
#include "app/cli/commands.h"
#include "app/cli/new_transfers.h"
#include "app/cli/timed_command.h"
#include "app/session/local_place.h"
#include "core/base/sample_comparison.h"
#include "core/present/json/change_document.h"

namespace tcpscope {

namespace {

struct Samples {
  std::vector<double> before;
  std::vector<double> after;
};

using Sampled = Expected<std::vector<double>, ExitCode>;

/// One run, in seconds, or the exit code after it was told why there is none.
Sampled timeCommand(const std::string& command) {
  const auto run = runTimed(command);
  if (!run) return tl::unexpected(fail(ExitCode::systemFailed, "the command could not be started"));
  if (run->exitCode != 0) {
    return tl::unexpected(fail(ExitCode::systemFailed, "the command ended with " + std::to_string(run->exitCode) +
                                                           "; what is timed has to succeed each time"));
  }
  return std::vector{toSeconds(run->elapsed)};
}

/// In pairs, of which every second begins with the change: what drifts meanwhile weighs on both sides.
Expected<Samples, ExitCode> sampleInTurn(SysctlChanger& changes, const ChangeOptions& options,
                                         const std::function<Sampled()>& sample) {
  Samples samples;
  for (std::uint32_t pair = 0; pair < options.runs; ++pair) {
    std::array order = {SettingVersion::original, SettingVersion::changed};
    if (pair % 2 == 1) std::swap(order[0], order[1]);
    for (const SettingVersion version : order) {
      if (const auto chosen = changes.choose(options.change, version); !chosen) {
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

/// Ctrl+C ends what is looked at, and with it the comparison; the settings still have to come back.
Expected<Samples, ExitCode> sampleCommand(SysctlChanger& changes, const CommandOptions& options) {
  std::signal(SIGINT, SIG_IGN);
  return sampleInTurn(changes, options.change, [&] { return timeCommand(options.filterText); });
}

Expected<Samples, ExitCode> sampleTransfers(SysctlChanger& changes, const CommandOptions& options) {
  const Interruption interruption;
  return sampleInTurn(changes, options.change, [&]() -> Sampled {
    auto goodputs = goodputsOfNewTransfers(nanosecondsOf(options.forSeconds), interruption);
    if (goodputs && interruption.happened()) {
      return tl::unexpected(fail(ExitCode::notThere, "interrupted before everything was looked at"));
    }
    return goodputs;
  });
}

}  // namespace

ExitCode verifyCommand(const CommandOptions& options) {
  auto changes = changesOf(options);
  if (!changes) return changes.error();
  // As it is left in the end: whoever cannot set that has nothing to compare.
  if (const auto begun = changes->choose(options.change.change, SettingVersion::changed); !begun) {
    return fail(begun.error());
  }
  const SampleKind kind = options.filterText.empty() ? SampleKind::transfers : SampleKind::runs;
  const auto samples = kind == SampleKind::runs ? sampleCommand(*changes, options) : sampleTransfers(*changes, options);
  const auto back = changes->choose(options.change.change, SettingVersion::changed);
  // First: settings that did not come back weigh more than a command that failed.
  if (!back) return fail(back.error());
  if (!samples) return samples.error();
  if (samples->before.empty() || samples->after.empty()) {
    return fail(
        ExitCode::notThere,
        "no transfer of half a second or more began while it was looked at; look longer with --for, or say behind "
        "'--' which command to time");
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
