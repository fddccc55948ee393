#include "app/cli/lab_options.h"

namespace tcpscope {

void addLabOptions(CLI::App& command, LabOptions& options, bool& json) {
  command.require_subcommand(1);
  CLI::App* const list = command.add_subcommand("list", "List the built-in scenarios");
  list->add_flag("--json", json, "Print one JSON document");
  list->callback([&options] { options.action = LabAction::list; });

  CLI::App* const run = command.add_subcommand("run", "Run a scenario and check the verdict against the answer");
  run->callback([&options] { options.action = LabAction::run; });
  run->add_option("scenario", options.scenario, "Name of a scenario from 'lab list', or a file")
      ->required()
      ->type_name("SCENARIO|FILE");
  run->add_option("--for", options.forSeconds, "Measure for this many seconds")
      ->check(CLI::Range(0.5, 3600.0))
      ->type_name("S");
  run->add_option("--set", options.changes,
                  "Change a setting: path.delay=25ms; with several values (path.delay=25ms,50ms) run each")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  run->add_option("--repeat", options.repeats, "Number of runs")->check(CLI::Range(1, 1000))->type_name("N");
  run->add_option("-o,--output", options.outputs,
                  "Write the table (.csv), the plot (.svg) or the document (.json) to a file")
      ->type_name("FILE")
      ->allow_extra_args(false);
  run->add_option("--figure", options.figure,
                  "What the plot shows: goodput_bps, completion_s, jain_fairness_ratio, ...")
      ->type_name("KEY")
      ->capture_default_str();
  run->add_flag("--json", json, "Print one JSON document");

  CLI::App* const record = command.add_subcommand("record", "Run a scenario and record it at each of its hosts");
  record->callback([&options] { options.action = LabAction::record; });
  record->add_option("scenario", options.scenario, "Name of a scenario from 'lab list', or a file")
      ->required()
      ->type_name("SCENARIO|FILE");
  record->add_option("-o,--output", options.outputs, "Folder for the recordings, one per host")
      ->required()
      ->expected(1)
      ->type_name("FOLDER");
  record->add_flag("--packets", options.packets,
                   "Also capture packets at each host's device, and list what the path did to them");
  record->add_option("--for", options.forSeconds, "Record for this many seconds (as long as the scenario runs)")
      ->check(CLI::Range(0.5, 3600.0))
      ->type_name("S");
}

}  // namespace tcpscope
