#include "core/host/name_pattern.h"

#include <cstddef>

namespace tcpscope {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

/// Whether one element of a pattern, other than *, matches a character.
struct ElementMatch {
  bool matches = false;
  /// Where the next element begins.
  std::size_t next = 0;
};

/// The bracket that ends the set which begins at `open`; a bracket right at its beginning belongs to the set.
std::size_t endOfSet(std::string_view pattern, std::size_t open) {
  std::size_t first = open + 1;
  if (first < pattern.size() && (pattern[first] == '!' || pattern[first] == '^')) ++first;
  return first < pattern.size() ? pattern.find(']', first + 1) : kNone;
}

bool isInSet(std::string_view set, char byte) {
  for (std::size_t at = 0; at < set.size(); ++at) {
    const bool isRange = at + 2 < set.size() && set[at + 1] == '-';
    if (isRange ? set[at] <= byte && byte <= set[at + 2] : set[at] == byte) return true;
    if (isRange) at += 2;
  }
  return false;
}

ElementMatch matchElement(std::string_view pattern, std::size_t at, char byte) {
  if (pattern[at] == '?') return {true, at + 1};
  if (pattern[at] == '[') {
    if (const std::size_t end = endOfSet(pattern, at); end != kNone) {
      const bool isNegated = pattern[at + 1] == '!' || pattern[at + 1] == '^';
      const std::size_t first = at + 1 + static_cast<std::size_t>(isNegated);
      return {isInSet(pattern.substr(first, end - first), byte) != isNegated, end + 1};
    }
  }
  if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
  return {pattern[at] == byte, at + 1};
}

}  // namespace

bool matchesPattern(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t from = 0;
  // Where to go on when the newest * has to stand for one character more; earlier ones need no second try.
  std::size_t afterStar = kNone;
  std::size_t starTakesTo = 0;
  while (from < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      afterStar = ++at;
      starTakesTo = from;
      continue;
    }
    const ElementMatch match = at < pattern.size() ? matchElement(pattern, at, name[from]) : ElementMatch{};
    if (match.matches) {
      at = match.next;
      ++from;
    } else if (afterStar != kNone) {
      at = afterStar;
      from = ++starTakesTo;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == kNone;
}

}  // namespace tcpscope
