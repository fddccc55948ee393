// One file of sysctl.d(5), or /etc/sysctl.conf, as the list of what it assigns.
//
// The text is untrusted: reading it is bounded, and a line that is no assignment, too long, or holds bytes that
// no key has is left out and counted. What a line means follows systemd-sysctl, which applies the files at boot.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/untrusted_text.h"

namespace tcpscope {

inline constexpr std::size_t kLongestSysctlLine = 4096;
inline constexpr std::size_t kLongestSysctlKey = 256;
inline constexpr std::size_t kMostSysctlAssignments = 16'384;

struct SysctlAssignment {
  /// From 1.
  std::size_t line = 0;
  /// As canonicalSysctlKey() gives it.
  std::string key;
  /// Without blanks at its ends; may be empty. Absent for "-key" alone: patterns leave this key as it is.
  std::optional<UntrustedText> value;
  /// `key` is a pattern: its *, ? and [] stand for the names between two dots.
  bool isGlob = false;
  /// "-key = value": whether it can be written does not matter.
  bool ignoresErrors = false;

  bool operator==(const SysctlAssignment&) const = default;
};

struct SysctlFile {
  std::vector<SysctlAssignment> assignments;
  /// Neither empty, comment nor understood.
  std::size_t skippedLines = 0;
};

SysctlFile parseSysctlFile(std::string_view text);

/// The key as `sysctl` prints it: dots between the names, a slash for a dot within one. Whether dot or slash separates
/// is said by whichever of them comes first. Nothing for what cannot be a key.
std::optional<std::string> canonicalSysctlKey(std::string_view written);

/// Both canonical. A pattern's wildcards stay within the names between two dots, as those of glob(7).
bool sysctlKeyMatches(std::string_view pattern, std::string_view key);

/// Whether a pattern of glob(7) stands for a name: *, ?, [a-z], [!a-z], and \ before a character that stands for
/// itself. The whole name. Takes no more than the product of both lengths and the length of a bracket.
bool matchesPattern(std::string_view pattern, std::string_view name);

}  // namespace tcpscope
