#include "app/cli/help_formatter.h"

#include <algorithm>
#include <sstream>

#include "app/cli/text_output.h"

namespace tcpscope {

namespace {

/// Long lines are hard to read, however wide the terminal is.
constexpr std::size_t kWidest = 100;
constexpr std::size_t kWithoutTerminal = 80;

std::size_t helpWidth() {
  const std::size_t width = terminalWidth();
  return width == SIZE_MAX ? kWithoutTerminal : std::min(width, kWidest);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t size = displayWidth(word);
    if (column > indent && column + 1 + size > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += size;
  }
  return result;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool isPositional) const {
  return row(make_option_name(option, isPositional) + make_option_opts(option), make_option_desc(option));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text = Formatter::make_option_opts(option);
  // An option that the help does not show has no name there.
  constexpr std::string_view kExcludes = " Excludes:";
  const std::size_t excludes = text.find(kExcludes);
  const bool namesNone =
      excludes != std::string::npos && text.find_first_not_of(' ', excludes + kExcludes.size()) == std::string::npos;
  if (namesNone) text.resize(excludes);
  return text;
}

std::string HelpFormatter::make_description(const CLI::App* command) const {
  return wrapped(command->get_description(), helpWidth(), 0) + '\n';
}

std::string HelpFormatter::make_footer(const CLI::App* command) const {
  const std::size_t width = helpWidth();
  std::istringstream lines(command->get_footer());
  std::string text;
  // Lines that fit may be columns of examples.
  for (std::string line; std::getline(lines, line);)
    text += (displayWidth(line) <= width ? line : wrapped(line, width, 0)) + '\n';
  return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return row(command->get_display_name(true), command->get_description());
}

std::string HelpFormatter::row(const std::string& name, const std::string& what) const {
  constexpr std::size_t kNames = 2;
  constexpr std::size_t kMoreOfName = 6;
  const std::size_t width = helpWidth();
  const std::size_t column = get_column_width();
  std::string text = std::string(kNames, ' ');
  text += kNames + displayWidth(name) <= width ? name : wrapped(name, width, kMoreOfName);
  if (what.empty()) return text + '\n';
  const std::size_t end = displayWidth(text);
  text += end < column ? std::string(column - end, ' ') : '\n' + std::string(column, ' ');
  return text + wrapped(what, width, column) + '\n';
}

}  // namespace tcpscope
