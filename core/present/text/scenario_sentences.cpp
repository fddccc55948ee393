// The sentence about a scenario that could not be read.
#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/session/scenario_error.h"

namespace tcpscope::lab {
namespace {

std::string_view whatHappened(ScenarioError::Kind kind) {
  switch (kind) {
    case ScenarioError::Kind::tooLong:
      return "too large";
    case ScenarioError::Kind::badLine:
      return "not a line of a scenario";
    case ScenarioError::Kind::unknownSection:
      return "unknown section";
    case ScenarioError::Kind::unknownKey:
      return "unknown key";
    case ScenarioError::Kind::duplicateKey:
      return "already set";
    case ScenarioError::Kind::badValue:
      return "invalid value";
    case ScenarioError::Kind::missing:
      return "missing";
    case ScenarioError::Kind::unknownName:
      return "the scenario has nothing with this name";
  }
  return "the scenario cannot be read";
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongestQuote = 60;
  return forTerminal(text.substr(0, kLongestQuote));
}

}  // namespace

std::string sentence(const ScenarioError& error) {
  const std::string where = error.line == 0 ? std::string("scenario") : fmt::format("scenario, line {}", error.line);
  std::string what;
  if (!error.key.empty()) what = fmt::format(" \"{}\"", quoted(error.key));
  if (!error.value.empty() && error.key.empty()) what = fmt::format(" \"{}\"", quoted(error.value));
  if (!error.value.empty() && !error.key.empty()) {
    what = fmt::format(" \"{} = {}\"", quoted(error.key), quoted(error.value));
  }
  return fmt::format("{}:{} {}; allowed: {}", where, what.empty() ? what : what + ":", whatHappened(error.kind),
                     error.allowed);
}

}  // namespace tcpscope::lab
