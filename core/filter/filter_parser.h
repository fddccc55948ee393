// From the filter's tokens to its tree, by recursive descent.
//
//   any    := all { or all }
//   all    := unary { [and] unary }          two conditions side by side mean both, as in ss
//   unary  := not unary | ( any ) | condition
//
// The depth of the tree is bounded, so that neither parsing, evaluating nor freeing it can exhaust the stack.
#pragma once

#include <vector>

#include "core/filter/filter_lexer.h"

namespace tcpscope {

inline constexpr std::size_t kLongestFilter = 4096;
inline constexpr unsigned kDeepestFilter = 64;

using FilterResult = Expected<FilterPointer, FilterError>;

/// The tokens of one expression, with the place that has been read to.
class FilterTokens {
public:
  explicit FilterTokens(std::vector<FilterToken> tokens) : m_tokens(std::move(tokens)) {}

  /// The last token is `end` and is never passed.
  [[nodiscard]] const FilterToken& peek() const { return m_tokens[m_next]; }
  const FilterToken& take();
  bool takeIf(FilterToken::Kind kind);
  /// A comparison sign or word; nothing is taken where there is none.
  std::optional<Comparison> takeComparison();

  /// An error at the next token: `kind`, or "unexpected end" where the text has ended.
  [[nodiscard]] Unexpected<FilterError> errorHere(FilterError::Kind kind, std::string expected) const;

private:
  std::vector<FilterToken> m_tokens;
  std::size_t m_next = 0;
};

/// `any`, up to the first token that does not belong to it.
FilterResult parseAny(FilterTokens& tokens, unsigned depth);

/// One condition: a field, a comparison, a value (filter_conditions.cpp).
FilterResult parseCondition(FilterTokens& tokens);

template <class Node>
FilterPointer filterNode(Node node) {
  return std::make_shared<const FilterNode>(FilterNode{std::move(node)});
}

}  // namespace tcpscope
