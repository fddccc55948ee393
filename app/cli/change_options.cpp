#include "app/cli/change_options.h"

namespace tcpscope {

void addApplyOptions(CLI::App& command, ChangeOptions& options) {
  command.add_option("settings", options.settings, "Sysctls and their new values")->required()->type_name("KEY=VALUE");
  auto* const preview = command.add_flag("--preview", options.preview, "Show what would change, and change nothing");
  command.add_flag("--yes", options.yes, "Apply the change")->excludes(preview);
  command.add_flag("--persist", options.persist, "Keep the change across reboots, once it is confirmed");
  command
      .add_option("--revert-after", options.revertAfterSeconds,
                  "Revert after this many seconds unless 'confirm' comes first; by default the change stays")
      ->check(CLI::Range(1.0, 86'400.0))
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
  command.add_option("change", options.change, "Its number, as printed by 'changes' and 'apply'")
      ->required()
      ->check(CLI::Range(1U, 4'294'967'295U))
      ->type_name("CHANGE");
}

}  // namespace tcpscope
