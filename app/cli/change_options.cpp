#include "app/cli/change_options.h"

namespace tcpscope {

void addApplyOptions(CLI::App& command, ChangeOptions& options) {
  command.add_option("settings", options.settings, "Settings by their sysctl names, with the values they are to have")
      ->required()
      ->type_name("KEY=VALUE");
  auto* const preview = command.add_flag("--preview", options.preview, "Say what would change, and change nothing");
  command.add_flag("--yes", options.yes, "Change it")->excludes(preview);
  command.add_flag("--persist", options.persist, "Also for the next boots, once it is confirmed");
  command
      .add_option("--revert-after", options.revertAfterSeconds,
                  "Undo it after so many seconds unless 'confirm' comes before; without, it stays")
      ->check(CLI::Range(1.0, 86'400.0))
      ->type_name("S");
  command.add_option("--expect", options.expected, "Change nothing unless this is what is set now; may be repeated")
      ->type_name("KEY=VALUE");
}

void addVerifyOptions(CLI::App& command, ChangeOptions& options) {
  addChangeNumber(command, options);
  command
      .add_option("--runs", options.runs, "Run the command, or look, so often with the change, and as often without")
      ->check(CLI::Range(2U, 1000U))
      ->type_name("N")
      ->capture_default_str();
  command.footer(
      "Words behind '--' are a command for the shell, such as a transfer; its duration is what counts. Without them, "
      "the goodput of the transfers that begin meanwhile does.");
}

void addChangeNumber(CLI::App& command, ChangeOptions& options) {
  command.add_option("change", options.change, "Its number, as printed by 'changes' and 'apply'")
      ->required()
      ->check(CLI::Range(1U, 4'294'967'295U))
      ->type_name("CHANGE");
}

}  // namespace tcpscope
