// What is wrong with the text of a scenario, where, and what would be right there. The sentence is made in core/text.
#pragma once

#include <cstdint>
#include <string>

namespace tcpscope::lab {

struct ScenarioError {
  enum class Kind : std::uint8_t {
    tooLong,
    /// Neither a section, nor `key = value`, nor a comment.
    badLine,
    unknownSection,
    unknownKey,
    /// The same key twice.
    duplicateKey,
    badValue,
    /// A mandatory part of a scenario is missing.
    missing,
    /// Names something that the scenario does not have.
    unknownName,
  };
  Kind kind = Kind::badLine;
  /// From 1; 0 for what was set from outside, and for what is missing.
  std::size_t line = 0;
  /// As in the file or in `--set`.
  std::string key;
  std::string value;
  /// What may stand there, for people.
  std::string allowed;
};

/// One line: where, what is wrong, what is allowed.
std::string sentence(const ScenarioError& error);

}  // namespace tcpscope::lab
