// Options whose values are checked here, so that a refusal says in words of ours what they take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tcpscope {

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// An option that takes one of some words.
template <class Value>
void addChoice(CLI::App& command, const std::string& option, Value& chosen, const Choices<Value>& choices,
               const std::string& what) {
  std::string words;
  for (const auto& [word, value] : choices) words += (words.empty() ? "" : "|") + word;
  command
      .add_option_function<std::string>(
          option,
          [&chosen, choices, option, words](const std::string& given) {
            const std::string wanted = CLI::detail::to_lower(given);
            for (const auto& [word, value] : choices) {
              if (word != wanted) continue;
              chosen = value;
              return;
            }
            throw CLI::ValidationError(option, "takes " + words);
          },
          what)
      ->type_name(words);
}

/// The reason against it; empty for a whole number of 1 and more.
inline std::string whyNoCount(const std::string& word) {
  const bool isNumber = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  const bool isPositive = word.find_first_not_of('0') != std::string::npos;
  return isNumber && isPositive ? "" : "takes a whole number, 1 or more";
}

}  // namespace tcpscope
