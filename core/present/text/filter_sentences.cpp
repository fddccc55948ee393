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
      return "unexpected here";
    case FilterError::Kind::unknownField:
      return "unknown field";
    case FilterError::Kind::badAddress:
      return "not an address";
    case FilterError::Kind::badPort:
      return "not a port";
    case FilterError::Kind::badValue:
      return "not a value of this field";
    case FilterError::Kind::badComparison:
      return "the field does not support this comparison";
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
