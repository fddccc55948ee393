#include "core/filter/filter_lexer.h"

#include <algorithm>
#include <array>

#include "core/filter/filter_words.h"

namespace tcpscope {
namespace {

using Kind = FilterToken::Kind;

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::string_view kEndsWord = " \t\r\n\f\v()!&|=<>~\"'";

struct Symbol {
  std::string_view text;
  Kind kind;
  Comparison comparison = Comparison::equal;
};

/// Longer ones first.
constexpr std::array kSymbols = {
    Symbol{"&&", Kind::conjunction},
    Symbol{"||", Kind::disjunction},
    Symbol{"==", Kind::comparison, Comparison::equal},
    Symbol{"!=", Kind::comparison, Comparison::notEqual},
    Symbol{"!~", Kind::doesNotMatch, Comparison::matches},
    Symbol{">=", Kind::comparison, Comparison::greaterOrEqual},
    Symbol{"<=", Kind::comparison, Comparison::lessOrEqual},
    Symbol{"&", Kind::conjunction},
    Symbol{"|", Kind::disjunction},
    Symbol{"=", Kind::comparison, Comparison::equal},
    Symbol{">", Kind::comparison, Comparison::greater},
    Symbol{"<", Kind::comparison, Comparison::less},
    Symbol{"~", Kind::comparison, Comparison::matches},
    Symbol{"!", Kind::negation},
    Symbol{"(", Kind::open},
    Symbol{")", Kind::close},
};

Kind kindOfWord(std::string_view anyCase) {
  const std::string word = folded(anyCase);
  if (word == "and") return Kind::conjunction;
  if (word == "or") return Kind::disjunction;
  if (word == "not") return Kind::negation;
  return Kind::word;
}

FilterToken nextToken(std::string_view text, std::size_t position) {
  const std::string_view rest = text.substr(position);
  for (const Symbol& symbol : kSymbols) {
    if (rest.starts_with(symbol.text))
      return {symbol.kind, rest.substr(0, symbol.text.size()), position, symbol.comparison};
  }
  const std::size_t size = std::min(rest.find_first_of(kEndsWord), rest.size());
  const std::string_view word = rest.substr(0, size);
  return {kindOfWord(word), word, position, Comparison::equal};
}

}  // namespace

std::vector<FilterToken> lexFilter(std::string_view text) {
  std::vector<FilterToken> tokens;
  std::size_t position = 0;
  while ((position = text.find_first_not_of(kBlanks, position)) != std::string_view::npos) {
    const char first = text[position];
    if (first == '"' || first == '\'') {
      // An unclosed quote reaches to the end.
      const std::size_t closing = std::min(text.find(first, position + 1), text.size());
      tokens.push_back({Kind::quoted, text.substr(position + 1, closing - position - 1), position, Comparison::equal});
      position = std::min(closing + 1, text.size());
      continue;
    }
    tokens.push_back(nextToken(text, position));
    position += tokens.back().text.size();
  }
  tokens.push_back({Kind::end, {}, text.size(), Comparison::equal});
  return tokens;
}

std::optional<Comparison> comparisonWord(std::string_view word) {
  struct Word {
    std::string_view text;
    Comparison comparison;
  };
  static constexpr std::array kWords = {
      Word{"eq", Comparison::equal},
      Word{"ne", Comparison::notEqual},
      Word{"neq", Comparison::notEqual},
      Word{"gt", Comparison::greater},
      Word{"lt", Comparison::less},
      Word{"ge", Comparison::greaterOrEqual},
      Word{"geq", Comparison::greaterOrEqual},
      Word{"le", Comparison::lessOrEqual},
      Word{"leq", Comparison::lessOrEqual},
  };
  const auto found = std::find_if(kWords.begin(), kWords.end(), [&](const Word& entry) { return entry.text == word; });
  if (found == kWords.end()) return std::nullopt;
  return found->comparison;
}

}  // namespace tcpscope
