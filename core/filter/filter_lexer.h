// Splits a filter's text into words, comparisons, operators and parentheses, each with its place in the text.
//
// A word runs to the next blank or operator, so that `dport=:443` and `dport = :443` are the same; quotes hold a text
// with blanks together. Lexing never fails: what cannot be read here is a word that the parser refuses with its place.
#pragma once

#include <string_view>
#include <vector>

#include "core/filter/connection_filter.h"

namespace tcpscope {

struct FilterToken {
  enum class Kind : std::uint8_t {
    word,
    quoted,
    comparison,
    doesNotMatch,
    conjunction,
    disjunction,
    negation,
    open,
    close,
    end
  };
  Kind kind = Kind::end;
  /// Without the quotes; a view into the filter's text.
  std::string_view text;
  std::size_t position = 0;
  Comparison comparison = Comparison::equal;
};

/// All tokens, the last of which is `end`.
std::vector<FilterToken> lexFilter(std::string_view text);

/// The comparison that a word stands for in the grammar of ss ("eq", "ge", "geq", …).
std::optional<Comparison> comparisonWord(std::string_view word);

}  // namespace tcpscope
