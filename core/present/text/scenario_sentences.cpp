// The sentence about a scenario that could not be read.
#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/session/scenario_error.h"

namespace tcpscope::lab {
namespace {

std::string_view whatHappened(ScenarioError::Kind kind) {
  switch (kind) {
    case ScenarioError::Kind::tooLong:
      return "too much";
    case ScenarioError::Kind::badLine:
      return "this line is no part of a scenario";
    case ScenarioError::Kind::unknownSection:
      return "there is no such section";
    case ScenarioError::Kind::unknownKey:
      return "there is no such key";
    case ScenarioError::Kind::duplicateKey:
      return "this was set before";
    case ScenarioError::Kind::badValue:
      return "this is no value of that key";
    case ScenarioError::Kind::missing:
      return "this is missing";
    case ScenarioError::Kind::unknownName:
      return "nothing of that name is in the scenario";
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
