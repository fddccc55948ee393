// `apply`, `confirm`, `revert`, `changes`: revertible changes of this host's sysctls.
#include <algorithm>

#include "app/changes/execute/option_changer.h"
#include "app/cli/change_output.h"
#include "app/cli/changed_place.h"
#include "app/cli/commands.h"
#include "app/cli/text_output.h"
#include "app/session/local_place.h"
#include "app/store/state_folder.h"
#include "collectors/host/place_reader.h"
#include "collectors/host/sysctl_source_reader.h"
#include "core/base/escape.h"
#include "core/present/json/change_document.h"
#include "core/present/text/change_text.h"

namespace tcpscope {

namespace {

/// Parses KEY=VALUE arguments; the exit code after printing the malformed one.
Expected<std::vector<WantedSetting>, ExitCode> settingsOf(const std::vector<std::string>& words) {
  std::vector<WantedSetting> settings;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return tl::unexpected(fail(ExitCode::wrongUsage, "'" + forTerminal(UntrustedText(word)) +
                                                           "' is no setting; give KEY=VALUE, such as "
                                                           "net.ipv4.tcp_rmem='4096 131072 67108864'"));
    }
    // sysctl(8) accepts both separators.
    std::string key = word.substr(0, equals);
    std::replace(key.begin(), key.end(), '/', '.');
    settings.push_back({std::move(key), word.substr(equals + 1)});
  }
  return settings;
}

ExitCode writeDocument(const CommandOptions& options, const std::string& json, const TextBuffer& text) {
  return options.json ? writeOut(json) : writeOut({text.data(), text.size()});
}

ExitCode previewOf(const CommandOptions& options, const SysctlChanger& changes,
                   const std::vector<WantedSetting>& wanted) {
  const std::vector<SettingPreview> rows = changes.preview(wanted);
  TextBuffer out;
  appendPreview(out, rows, otherTuners());
  const ExitCode code = writeDocument(options, toJson(ChangeReport::of(rows, wallNow())), out);
  if (code != ExitCode::done) return code;
  const auto isRefused = [](const SettingPreview& row) { return row.verdict == PreviewVerdict::refused; };
  return std::any_of(rows.begin(), rows.end(), isRefused) ? ExitCode::refused : code;
}

}  // namespace

void addApplyOptions(CLI::App& command, ChangeOptions& options) {
  command.add_option("SETTING", options.settings, "KEY=VALUE: a sysctl and its new value")->required()->type_name("");
  auto* const preview = command.add_flag("--preview", options.preview, "Show what would change, and change nothing");
  command.add_flag("--yes", options.yes, "Apply the change")->excludes(preview);
  command.add_flag("--persist", options.persist, "Keep the change across reboots, once it is confirmed");
  command
      .add_option("--revert-after", options.revertAfterSeconds,
                  "Revert after this many seconds unless 'confirm' comes first; by default the change stays")
      ->check(secondsWithin(1.0, 86'400.0))
      ->type_name("S");
  command.add_option("--expect", options.expected, "Change nothing unless this is the current value; may be repeated")
      ->type_name("KEY=VALUE");
}

void addVerifyOptions(CLI::App& command, ChangeOptions& options) {
  addChangeNumber(command, options);
  command.add_option("--runs", options.runs, "Number of runs with the change, and of runs without it")
      ->check(CLI::Range(2U, 1000U))
      ->type_name("N")
      ->capture_default_str();
  command.footer(
      "The words after '--' are a shell command, such as a transfer, whose duration is compared. Without a command, "
      "the "
      "goodput of the transfers that start meanwhile is compared.");
}

void addChangeNumber(CLI::App& command, ChangeOptions& options) {
  command.add_option("CHANGE", options.change, "Its number, as printed by 'changes' and 'apply'")
      ->required()
      ->check(CLI::Range(1U, 4'294'967'295U))
      ->type_name("N");
}

ExitCode applyCommand(const CommandOptions& options) {
  const ChangeOptions& asked = options.change;
  if (!asked.preview && !asked.yes) {
    return fail(ExitCode::wrongUsage, "say --preview to see what would change, or --yes to change it");
  }
  const auto wanted = settingsOf(asked.settings);
  if (!wanted) return wanted.error();
  const auto expected = settingsOf(asked.expected);
  if (!expected) return expected.error();
  const auto unit = revertUnitFor(options, asked.preview ? std::nullopt : asked.revertAfterSeconds);
  auto changes = changesOf(options);
  if (!changes) return changes.error();
  if (asked.preview) return previewOf(options, *changes, *wanted);
  ChangeRequest request{*wanted, *expected, asked.persist, std::nullopt};
  if (asked.revertAfterSeconds) {
    request.revertAfter = Milliseconds(static_cast<Milliseconds::rep>(*asked.revertAfterSeconds * 1000));
  }
  const auto made = changes->apply(request);
  if (!made) return fail(made.error());
  if (unit && *made) startRevertUnit(*unit);
  TextBuffer out;
  std::vector<ChangeRecord> records;
  if (*made) {
    records.push_back(**made);
    appendApplied(out, records.front(), asked.revertAfterSeconds);
  } else {
    append(out, "All of it is set already.\n");
  }
  return writeDocument(options, toJson(ChangeReport::of(records, wallNow())), out);
}

ExitCode confirmCommand(const CommandOptions& options) {
  auto changes = changesOf(options);
  if (!changes) return changes.error();
  const auto confirmed = changes->confirm(options.change.change);
  if (!confirmed) return fail(confirmed.error());
  TextBuffer out;
  appendConfirmed(out, *confirmed);
  return writeDocument(options, toJson(ChangeReport::of(std::vector{*confirmed}, wallNow())), out);
}

ExitCode revertCommand(const CommandOptions& options) {
  auto changes = changesOf(options);
  if (!changes) return changes.error();
  const auto reverted = changes->revert(options.change.change);
  if (!reverted) return fail(reverted.error());
  TextBuffer out;
  appendReverted(out, *reverted);
  const ExitCode code = writeDocument(options, toJson(ChangeReport::of(*reverted, wallNow())), out);
  if (code != ExitCode::done) return code;
  const auto isLeft = [](const RestoredSetting& row) { return row.outcome == RestoreOutcome::leftAlone; };
  const bool isWhole =
      !reverted->fileLeftAlone && std::none_of(reverted->settings.begin(), reverted->settings.end(), isLeft);
  return isWhole ? code : ExitCode::refused;
}

ExitCode changesCommand(const CommandOptions& options) {
  // Before entering a namespace in which this process may have another user id.
  if (const auto tuned = stateFolder("tuned")) settleTrials(*tuned, readPlace(PlaceId{0}).bootId);
  auto changes = changesOf(options);
  if (!changes) return changes.error();
  changes->settle();
  const auto records = changes->list();
  if (!records) return fail(records.error());
  TextBuffer out;
  appendChanges(out, *records);
  return writeDocument(options, toJson(ChangeReport::of(*records, wallNow())), out);
}

}  // namespace tcpscope
