#include "core/present/text/sysctl_source_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// How many unread files are named one by one.
constexpr std::size_t kMostNamed = 3;

std::string listOf(const std::vector<UntrustedText>& paths) {
  std::string text;
  for (std::size_t index = 0; index < std::min(paths.size(), kMostNamed); ++index) {
    if (index > 0) text += ", ";
    text += forTerminal(paths[index]);
  }
  if (paths.size() > kMostNamed) text += fmt::format(" and {} more", paths.size() - kMostNamed);
  return text;
}

}  // namespace

std::string placeOf(const SysctlSource& source) {
  return fmt::format("{}:{}", forTerminal(source.path), source.line);
}

std::string bootSentence(const SysctlSources& sources, std::string_view key) {
  const std::optional<SysctlSource> setting = sources.settingOf(key);
  const std::vector<UntrustedText> unread = sources.unread();
  std::string text = setting ? fmt::format("{} sets it to {} at boot.", placeOf(*setting), forTerminal(*setting->value))
                             : std::string("No file sets it at boot.");
  if (!unread.empty()) text += fmt::format(" These files cannot be read: {}.", listOf(unread));
  return text;
}

std::string overrideSentence(const SysctlOverride& later) {
  std::string text;
  if (!later.by.empty()) {
    const SysctlSource& last = later.by.back();
    text = last.value ? fmt::format("{} would override {} at boot with {}.", placeOf(last), kOwnSysctlFile,
                                    forTerminal(*last.value))
                      : fmt::format("{} excludes it from being set at boot.", placeOf(last));
  }
  if (!later.unread.empty()) {
    if (!text.empty()) text += ' ';
    text +=
        fmt::format("These might override {} at boot, and cannot be read: {}.", kOwnSysctlFile, listOf(later.unread));
  }
  return text;
}

std::string sentence(const FoundTuner& tuner) {
  const std::string_view who = tuner.tuner == OtherTuner::tuned ? "TuneD" : "bpftune";
  if (tuner.evidence == TunerEvidence::process) return fmt::format("{} is active on this host and may change it.", who);
  return fmt::format("{} is installed on this host and may change it when active.", who);
}

}  // namespace tcpscope
