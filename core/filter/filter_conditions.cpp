// The single conditions of the filter: which field takes which comparison and which value.
#include <algorithm>
#include <array>
#include <charconv>

#include "core/filter/filter_parser.h"
#include "core/filter/filter_words.h"

namespace tcpscope {
namespace {

using Kind = FilterToken::Kind;
using ErrorKind = FilterError::Kind;

constexpr std::string_view kOrderings = "=, !=, <, <=, > or >=";

bool isValue(const FilterToken& token) {
  return token.kind == Kind::word || token.kind == Kind::quoted;
}

bool isEquality(Comparison comparison) {
  return comparison == Comparison::equal || comparison == Comparison::notEqual;
}

/// The comparison that must come next, one of those that `allowed` says; `fallback` where it may be left out.
template <class Allowed>
Expected<Comparison, FilterError> readComparison(FilterTokens& tokens, Allowed allowed, std::string_view expected,
                                                 std::optional<Comparison> fallback = std::nullopt) {
  const Unexpected<FilterError> error = tokens.errorHere(ErrorKind::badComparison, std::string(expected));
  const std::optional<Comparison> found = tokens.takeComparison();
  if (!found && fallback && isValue(tokens.peek())) return *fallback;
  if (!found || !allowed(*found)) return error;
  return *found;
}

bool isOrdering(Comparison comparison) {
  return comparison != Comparison::matches;
}

/// A run of `state X` and `exclude Y`: the named states together, less the excluded ones, as ss reads it.
FilterResult parseStateRun(FilterTokens& tokens) {
  std::optional<std::uint32_t> mask;
  while (tokens.peek().kind == Kind::word) {
    const std::string keyword = folded(tokens.peek().text);
    const bool include = keyword == "state";
    if (!include && keyword != "exclude" && keyword != "excl") break;
    tokens.take();
    const std::optional<Comparison> sign = include ? tokens.takeComparison() : std::nullopt;
    const Comparison comparison = sign.value_or(Comparison::equal);
    const bool readable = isValue(tokens.peek()) && isEquality(comparison);
    const std::uint32_t named = readable ? stateSet(tokens.peek().text).value_or(0) : 0;
    if (named == 0) return tokens.errorHere(ErrorKind::badValue, "a state such as established, connected or time-wait");
    tokens.take();
    if (sign) {
      mask = mask.value_or(kAllStates) & (comparison == Comparison::equal ? named : kAllStates & ~named);
    } else {
      mask = include ? mask.value_or(0) | named : mask.value_or(kAllStates) & ~named;
    }
  }
  return filterNode(FilterStates{mask.value_or(kAllStates)});
}

FilterResult parsePort(FilterTokens& tokens, Peer peer) {
  const auto comparison = readComparison(tokens, isOrdering, "=, !=, <, <=, >, >= or a port", Comparison::equal);
  if (!comparison) return Unexpected<FilterError>(comparison.error());
  const auto port = isValue(tokens.peek()) ? portNumber(tokens.peek().text) : std::nullopt;
  if (!port)
    return tokens.errorHere(ErrorKind::badPort, "a port from 0 to 65535 such as :443, or a service such as https");
  tokens.take();
  return filterNode(FilterPort{peer, *comparison, *port});
}

FilterResult parseHost(FilterTokens& tokens, Peer peer) {
  static constexpr std::string_view kExample = "an address such as 192.0.2.1, [2001:db8::1]:443, 10/8 or *:443";
  const auto comparison = readComparison(tokens, isEquality, "=, != or an address", Comparison::equal);
  if (!comparison) return Unexpected<FilterError>(comparison.error());
  if (!isValue(tokens.peek())) return tokens.errorHere(ErrorKind::badAddress, std::string(kExample));
  const auto pattern = hostPattern(tokens.peek().text);
  if (!pattern) return tokens.errorHere(pattern.error(), std::string(kExample));
  tokens.take();
  return filterNode(FilterHost{peer, *comparison == Comparison::notEqual, pattern->network, pattern->prefixBits,
                               pattern->anyAddress, pattern->port});
}

FilterResult parseLimit(FilterTokens& tokens) {
  const auto comparison = readComparison(tokens, isEquality, "= or !=");
  if (!comparison) return Unexpected<FilterError>(comparison.error());
  const auto limit = isValue(tokens.peek()) ? limitWord(tokens.peek().text) : std::nullopt;
  if (!limit) {
    return tokens.errorHere(ErrorKind::badValue,
                            "one of receiver, send_buffer, network, recovery, timeout, application, idle, unknown");
  }
  tokens.take();
  return filterNode(FilterLimit{*comparison, *limit});
}

FilterResult parseText(FilterTokens& tokens, TextField field) {
  const bool negated = tokens.takeIf(Kind::doesNotMatch);
  Comparison comparison = Comparison::matches;
  if (!negated) {
    const auto textual = [](Comparison found) { return isEquality(found) || found == Comparison::matches; };
    const auto found = readComparison(tokens, textual, "=, !=, ~ (contains) or !~");
    if (!found) return Unexpected<FilterError>(found.error());
    comparison = *found;
  }
  if (!isValue(tokens.peek()) || tokens.peek().text.empty()) {
    return tokens.errorHere(ErrorKind::badValue, "a text, in quotes where it holds blanks");
  }
  FilterPointer node = filterNode(FilterText{field, comparison, std::string(tokens.take().text)});
  return negated ? filterNode(FilterNot{std::move(node)}) : node;
}

FilterResult parseNumber(FilterTokens& tokens, FilterNumber::Field field) {
  const auto comparison = readComparison(tokens, isOrdering, kOrderings);
  if (!comparison) return Unexpected<FilterError>(comparison.error());
  const std::string_view text = isValue(tokens.peek()) ? tokens.peek().text : std::string_view();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return tokens.errorHere(ErrorKind::badValue, "a number such as 1000");
  }
  tokens.take();
  return filterNode(FilterNumber{field, *comparison, number});
}

bool beginsField(std::string_view word);

/// Takes the value that must come next. In "5 bananas", the second word is meant for a unit, and names no field.
Expected<double, FilterError> readValue(FilterTokens& tokens, const MetricRow& row) {
  const std::string_view text = isValue(tokens.peek()) ? tokens.peek().text : std::string_view();
  const auto value = text.empty() ? std::nullopt : metricValue(row, text);
  if (!value) return tokens.errorHere(ErrorKind::badValue, std::string(valueExample(row.unit)));
  tokens.take();
  const bool hasUnit = text.back() < '0' || text.back() > '9';
  if (!hasUnit && tokens.peek().kind == Kind::word && !beginsField(tokens.peek().text)) {
    return tokens.errorHere(ErrorKind::badUnit, std::string(valueExample(row.unit)) + ", in one word");
  }
  return *value;
}

FilterResult parseMetric(FilterTokens& tokens, const MetricRow& row) {
  const bool compared = tokens.peek().kind == Kind::comparison || tokens.peek().kind == Kind::doesNotMatch ||
                        (tokens.peek().kind == Kind::word && comparisonWord(tokens.peek().text));
  if (row.unit == MetricUnit::flag && !compared) return filterNode(FilterMetric{row.metric, Comparison::equal, 1.0});
  const bool ordered = row.unit != MetricUnit::flag && row.unit != MetricUnit::name;
  const auto comparison =
      ordered ? readComparison(tokens, isOrdering, kOrderings) : readComparison(tokens, isEquality, "= or !=");
  if (!comparison) return Unexpected<FilterError>(comparison.error());
  const auto value = readValue(tokens, row);
  if (!value) return Unexpected<FilterError>(value.error());
  return filterNode(FilterMetric{row.metric, *comparison, *value});
}

FilterPointer eitherRate(Comparison comparison, double value) {
  return filterNode(FilterOr{{filterNode(FilterMetric{Metric::sendGoodput, comparison, value}),
                              filterNode(FilterMetric{Metric::receiveGoodput, comparison, value})}});
}

/// `rate` is the larger of both directions. A rate that is not known satisfies no comparison.
FilterPointer largerRate(Comparison comparison, double value) {
  const FilterPointer known = eitherRate(Comparison::greaterOrEqual, 0.0);
  FilterPointer above = eitherRate(Comparison::greater, value);
  FilterPointer atLeast = eitherRate(Comparison::greaterOrEqual, value);
  switch (comparison) {
    case Comparison::greater:
      return above;
    case Comparison::less:
      return filterNode(FilterAnd{{known, filterNode(FilterNot{atLeast})}});
    case Comparison::lessOrEqual:
      return filterNode(FilterAnd{{known, filterNode(FilterNot{above})}});
    case Comparison::equal:
      return filterNode(FilterAnd{{atLeast, filterNode(FilterNot{above})}});
    case Comparison::notEqual:
      return filterNode(FilterAnd{{known, filterNode(FilterOr{{above, filterNode(FilterNot{atLeast})}})}});
    case Comparison::greaterOrEqual:
    case Comparison::matches:
      break;
  }
  return atLeast;
}

FilterResult parseRate(FilterTokens& tokens) {
  const auto comparison = readComparison(tokens, isOrdering, kOrderings);
  if (!comparison) return Unexpected<FilterError>(comparison.error());
  const auto value = readValue(tokens, metricRow(Metric::sendGoodput));
  if (!value) return Unexpected<FilterError>(value.error());
  return largerRate(*comparison, *value);
}

using Reader = FilterResult (*)(FilterTokens&);
struct Field {
  std::string_view word;
  Reader read;
};
constexpr std::array kFields = {
    Field{"sport", [](FilterTokens& tokens) { return parsePort(tokens, Peer::source); }},
    Field{"dport", [](FilterTokens& tokens) { return parsePort(tokens, Peer::destination); }},
    Field{"src", [](FilterTokens& tokens) { return parseHost(tokens, Peer::source); }},
    Field{"dst", [](FilterTokens& tokens) { return parseHost(tokens, Peer::destination); }},
    Field{"limit", parseLimit},
    Field{"rate", parseRate},
    Field{"process", [](FilterTokens& tokens) { return parseText(tokens, TextField::process); }},
    Field{"user", [](FilterTokens& tokens) { return parseText(tokens, TextField::user); }},
    Field{"unit", [](FilterTokens& tokens) { return parseText(tokens, TextField::unit); }},
    Field{"container", [](FilterTokens& tokens) { return parseText(tokens, TextField::unit); }},
    Field{"cc", [](FilterTokens& tokens) { return parseText(tokens, TextField::congestionControl); }},
    Field{"congestion-control", [](FilterTokens& tokens) { return parseText(tokens, TextField::congestionControl); }},
    Field{"pid", [](FilterTokens& tokens) { return parseNumber(tokens, FilterNumber::Field::pid); }},
    Field{"uid", [](FilterTokens& tokens) { return parseNumber(tokens, FilterNumber::Field::uid); }},
};

bool beginsStates(std::string_view keyword) {
  return keyword == "state" || keyword == "exclude" || keyword == "excl";
}

bool beginsField(std::string_view word) {
  const std::string keyword = folded(word);
  return beginsStates(keyword) || metricField(word) != nullptr ||
         std::any_of(kFields.begin(), kFields.end(), [&](const Field& field) { return field.word == keyword; });
}

}  // namespace

FilterResult parseCondition(FilterTokens& tokens) {
  static constexpr std::string_view kExpected =
      "a condition such as dport = :443, dst 10/8, rtt > 50ms or state connected";
  const FilterToken first = tokens.peek();
  if (first.kind != Kind::word) return tokens.errorHere(ErrorKind::unexpectedWord, std::string(kExpected));
  const std::string keyword = folded(first.text);
  if (beginsStates(keyword)) return parseStateRun(tokens);
  for (const Field& field : kFields) {
    if (field.word != keyword) continue;
    tokens.take();
    return field.read(tokens);
  }
  const MetricRow* metric = metricField(first.text);
  if (metric == nullptr) return tokens.errorHere(ErrorKind::unknownField, std::string(kExpected));
  tokens.take();
  return parseMetric(tokens, *metric);
}

}  // namespace tcpscope
