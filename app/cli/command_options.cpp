#include "app/cli/command_options.h"

#include <unistd.h>

#include <map>

namespace tcpscope {

namespace {

bool mentionsOwner(const FilterNode& node) {
  const auto anyOf = [](const std::vector<FilterPointer>& parts) {
    for (const FilterPointer& part : parts) {
      if (mentionsOwner(*part)) return true;
    }
    return false;
  };
  if (const auto* all = std::get_if<FilterAnd>(&node.node)) return anyOf(all->parts);
  if (const auto* some = std::get_if<FilterOr>(&node.node)) return anyOf(some->parts);
  if (const auto* negation = std::get_if<FilterNot>(&node.node)) return mentionsOwner(*negation->part);
  if (const auto* text = std::get_if<FilterText>(&node.node)) return text->field != TextField::congestionControl;
  if (const auto* number = std::get_if<FilterNumber>(&node.node)) return number->field == FilterNumber::Field::pid;
  return false;
}

void addPlaceOptions(CLI::App& command, CommandOptions& options) {
  command.add_option("--netns", options.networkNamespace, "Look into this network namespace: a name or a process")
      ->type_name("NAME|PID");
  command.add_flag("--no-resolve", options.noResolve, "Do not look for the processes behind sockets");
}

void addFilterHelp(CLI::App& command) {
  command.footer(
      "Words behind '--' are a filter in the grammar of ss, with fields of tcpscope's own:\n"
      "  -- dport = :443 and dst 10/8        -- 'rtt > 50ms' and process ~ postgres");
}

}  // namespace

bool CommandOptions::useColor() const {
  if (color == ColorChoice::automatic) return isatty(STDOUT_FILENO) == 1;
  return color == ColorChoice::always;
}

void addCommonOptions(CLI::App& command, CommandOptions& options) {
  const std::map<std::string, ColorChoice> colors = {
      {"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}};
  CLI::Option* json = command.add_flag("--json", options.json, "Print one JSON document");
  command.add_flag("--json-stream", options.jsonStream, "Print one JSON object a line")->excludes(json);
  command.add_option("--interval", options.intervalSeconds, "Seconds between two looks")
      ->check(CLI::Range(0.1, 3600.0))
      ->type_name("S");
  command.add_option("--count", options.count, "End after this many")->check(CLI::PositiveNumber)->type_name("N");
  addPlaceOptions(command, options);
  command.add_option("--color", options.color, "Colour: auto (on a terminal only), always, never")
      ->transform(CLI::CheckedTransformer(colors, CLI::ignore_case).description(""))
      ->type_name("auto|always|never");
  addFilterHelp(command);
}

void addFromOption(CLI::App& command, CommandOptions& options) {
  command.add_option("--from", options.from, "Look at this recording or host instead of this machine")
      ->type_name("FILE|ssh://HOST")
      ->excludes("--netns");
}

void addRecordOptions(CLI::App& command, CommandOptions& options) {
  command.add_option("-o,--output", options.output, "The file to write")->required()->type_name("FILE");
  command.add_option("--for", options.recordSeconds, "End after this many seconds; without it, at Ctrl+C")
      ->check(CLI::Range(0.5, 864'000.0))
      ->type_name("S");
  command.add_option("--interval", options.recordIntervalSeconds, "Seconds between two looks")
      ->check(CLI::Range(0.02, 3600.0))
      ->capture_default_str()
      ->type_name("S");
  addPlaceOptions(command, options);
  addFilterHelp(command);
}

bool asksForProcess(const ConnectionFilter& filter) {
  return filter.root() && mentionsOwner(*filter.root());
}

Expected<ConnectionFilter, ExitCode> parseFilter(const CommandOptions& options) {
  auto filter = ConnectionFilter::parse(options.filterText);
  if (!filter) {
    return Unexpected<ExitCode>(fail(ExitCode::wrongUsage, sentence(filter.error(), options.filterText)));
  }
  if (options.noResolve && asksForProcess(*filter)) {
    return Unexpected<ExitCode>(fail(ExitCode::wrongUsage,
                                     "the filter asks for processes, which --no-resolve leaves out; take one of the "
                                     "two away"));
  }
  return *filter;
}

}  // namespace tcpscope
