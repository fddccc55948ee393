#include "core/host/sysctl_file.h"

#include <algorithm>
#include <cstddef>

namespace tcpscope {

namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kWildcards = "*?[";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::size_t last = text.find_last_not_of(kBlanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// A byte that a key may hold: printable, and no blank.
bool isOfKey(char byte) {
  return byte > ' ' && byte <= '~' && byte != '=';
}

/// Takes what is before the first dot off the front.
std::string_view takeName(std::string_view& rest) {
  const std::string_view name = rest.substr(0, rest.find('.'));
  rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  return name;
}

/// The line holds an assignment or nothing that is understood.
std::optional<SysctlAssignment> assignmentOf(std::string_view line) {
  // systemd ends a line at these, too, procps does not: what such a line sets is not the same everywhere.
  if (line.find_first_of(std::string_view("\r\0", 2)) != std::string_view::npos) return std::nullopt;
  SysctlAssignment assignment;
  const bool hasDash = line.front() == '-';
  if (hasDash) line.remove_prefix(1);
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos && !hasDash) return std::nullopt;
  std::optional<std::string> key = canonicalSysctlKey(trimmed(line.substr(0, equals)));
  if (!key) return std::nullopt;
  assignment.key = std::move(*key);
  assignment.isGlob = assignment.key.find_first_of(kWildcards) != std::string::npos;
  assignment.ignoresErrors = hasDash && equals != std::string_view::npos;
  if (equals != std::string_view::npos) {
    assignment.value = UntrustedText(std::string(trimmed(line.substr(equals + 1))));
  }
  return assignment;
}

}  // namespace

std::optional<std::string> canonicalSysctlKey(std::string_view written) {
  constexpr std::string_view kSeparators = "./";
  if (written.empty() || written.size() > kLongestSysctlKey) return std::nullopt;
  if (!std::all_of(written.begin(), written.end(), isOfKey)) return std::nullopt;
  std::string dotted(written);
  const std::size_t first = written.find_first_of(kSeparators);
  if (first != std::string_view::npos && written[first] == '/') {
    for (char& byte : dotted) {
      if (byte == '/' || byte == '.') byte = byte == '/' ? '.' : '/';
    }
  }
  // Doubled separators mean the same file as single ones.
  std::string key;
  for (std::string_view rest = dotted; !rest.empty();) {
    const std::string_view name = takeName(rest);
    if (name.empty()) continue;
    if (!key.empty()) key += '.';
    key += name;
  }
  // No first name of /proc/sys holds a dot; and a key that begins like this would not read again as itself.
  const std::size_t separator = key.find_first_of(kSeparators);
  if (key.empty() || (separator != std::string::npos && key[separator] == '/')) return std::nullopt;
  if (std::string_view("-#;").find(key.front()) != std::string_view::npos) return std::nullopt;
  return key;
}

bool sysctlKeyMatches(std::string_view pattern, std::string_view key) {
  while (!pattern.empty() && !key.empty()) {
    if (!matchesPattern(takeName(pattern), takeName(key))) return false;
  }
  return pattern.empty() && key.empty();
}

SysctlFile parseSysctlFile(std::string_view text) {
  SysctlFile file;
  std::size_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    const bool isTooLong = line.size() > kLongestSysctlLine;
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    std::optional<SysctlAssignment> assignment = isTooLong ? std::nullopt : assignmentOf(line);
    if (!assignment || file.assignments.size() == kMostSysctlAssignments) {
      ++file.skippedLines;
      continue;
    }
    assignment->line = number;
    file.assignments.push_back(std::move(*assignment));
  }
  return file;
}

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
