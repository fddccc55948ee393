// The sentence about a filter that could not be read.
#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/filter/connection_filter.h"

namespace tcpscope {
namespace {

std::string_view whatHappened(FilterError::Kind kind) {
  switch (kind) {
    case FilterError::Kind::unexpectedEnd:
      return "the filter ends too early";
    case FilterError::Kind::unexpectedWord:
      return "this does not belong here";
    case FilterError::Kind::unknownField:
      return "there is no such field";
    case FilterError::Kind::badAddress:
      return "this is no address";
    case FilterError::Kind::badPort:
      return "this is no port";
    case FilterError::Kind::badValue:
      return "this is no value of that field";
    case FilterError::Kind::badComparison:
      return "the field cannot be compared like this";
    case FilterError::Kind::tooDeep:
      return "the filter is nested too deeply";
    case FilterError::Kind::tooLong:
      return "the filter is too long";
  }
  return "the filter cannot be read";
}

/// The word at the place of the error, not longer than a line bears.
std::string wordAt(std::string_view text, std::size_t position) {
  static constexpr std::size_t kLongestQuote = 40;
  if (position >= text.size()) return {};
  const std::string_view rest = text.substr(position, kLongestQuote);
  return forPlainText(rest.substr(0, rest.find_first_of(" \t\r\n")));
}

}  // namespace

std::string sentence(const FilterError& error, std::string_view text) {
  const std::string word = wordAt(text, error.position);
  const std::string quoted = word.empty() ? std::string() : fmt::format(" (\"{}\")", word);
  return fmt::format("Filter, character {}{}: {}; expected {}.", error.position + 1, quoted, whatHappened(error.kind),
                     error.expected);
}

}  // namespace tcpscope
