#include "core/host/sysctl_file.h"

#include <algorithm>

#include "core/host/name_pattern.h"

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

}  // namespace tcpscope
