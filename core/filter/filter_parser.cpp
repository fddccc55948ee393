#include "core/filter/filter_parser.h"

namespace tcpscope {
namespace {

using Kind = FilterToken::Kind;

bool beginsCondition(Kind kind) {
  return kind == Kind::word || kind == Kind::quoted || kind == Kind::negation || kind == Kind::open;
}

FilterResult parseUnary(FilterTokens& tokens, unsigned depth) {
  if (depth >= kDeepestFilter) return tokens.errorHere(FilterError::Kind::tooDeep, "at most 64 levels");
  if (tokens.takeIf(Kind::negation)) {
    FilterResult part = parseUnary(tokens, depth + 1);
    if (!part) return part;
    return filterNode(FilterNot{*part});
  }
  if (!tokens.takeIf(Kind::open)) return parseCondition(tokens);
  FilterResult inner = parseAny(tokens, depth + 1);
  if (!inner) return inner;
  if (!tokens.takeIf(Kind::close)) return tokens.errorHere(FilterError::Kind::unexpectedWord, "a closing parenthesis");
  return inner;
}

FilterResult parseAll(FilterTokens& tokens, unsigned depth) {
  FilterAnd all;
  do {
    FilterResult part = parseUnary(tokens, depth);
    if (!part) return part;
    all.parts.push_back(*part);
  } while (tokens.takeIf(Kind::conjunction) || beginsCondition(tokens.peek().kind));
  if (all.parts.size() == 1) return all.parts.front();
  return filterNode(std::move(all));
}

}  // namespace

const FilterToken& FilterTokens::take() {
  const FilterToken& token = m_tokens[m_next];
  if (token.kind != Kind::end) ++m_next;
  return token;
}

bool FilterTokens::takeIf(Kind kind) {
  if (peek().kind != kind) return false;
  take();
  return true;
}

std::optional<Comparison> FilterTokens::takeComparison() {
  if (peek().kind == Kind::comparison) return take().comparison;
  const std::optional<Comparison> word =
      peek().kind == Kind::word ? comparisonWord(peek().text) : std::optional<Comparison>();
  if (word) take();
  return word;
}

Unexpected<FilterError> FilterTokens::errorHere(FilterError::Kind kind, std::string expected) const {
  const FilterToken& token = peek();
  if (token.kind == Kind::end && kind != FilterError::Kind::tooDeep) kind = FilterError::Kind::unexpectedEnd;
  return Unexpected<FilterError>(FilterError{kind, token.position, std::move(expected)});
}

FilterResult parseAny(FilterTokens& tokens, unsigned depth) {
  FilterOr any;
  do {
    FilterResult part = parseAll(tokens, depth);
    if (!part) return part;
    any.parts.push_back(*part);
  } while (tokens.takeIf(Kind::disjunction));
  if (any.parts.size() == 1) return any.parts.front();
  return filterNode(std::move(any));
}

Expected<ConnectionFilter, FilterError> ConnectionFilter::parse(std::string_view text) {
  if (text.size() > kLongestFilter) {
    return Unexpected<FilterError>(FilterError{FilterError::Kind::tooLong, kLongestFilter, "at most 4096 bytes"});
  }
  ConnectionFilter filter;
  FilterTokens tokens(lexFilter(text));
  if (tokens.peek().kind == Kind::end) return filter;
  FilterResult root = parseAny(tokens, 0);
  if (!root) return Unexpected<FilterError>(root.error());
  if (tokens.peek().kind != Kind::end) {
    return tokens.errorHere(FilterError::Kind::unexpectedWord, "and, or, or the end of the filter");
  }
  filter.m_root = *root;
  return filter;
}

}  // namespace tcpscope
