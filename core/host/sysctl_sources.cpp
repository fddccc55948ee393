#include "core/host/sysctl_sources.h"

#include <algorithm>
#include <array>
#include <map>

namespace tcpscope {

namespace {

std::string pathOf(const SysctlSourceFile& file) {
  return std::string(path(file.folder)) + '/' + file.name.rawBytes();
}

/// Which of the patterns decides. They are kept in a table by their text; in systemd-sysctl's, one that comes again
/// with the same value keeps its place, and one without a value takes it out.
class PatternTable {
public:
  explicit PatternTable(SysctlBootTool tool) : m_tool(tool) {}
  void take(const SysctlAssignment& line, std::size_t index) {
    if (m_tool == SysctlBootTool::procps && !line.value) return;
    const auto [row, isNew] = m_rows.try_emplace(line.key, Row{&line.value, index});
    const bool keepsPlace = m_tool == SysctlBootTool::systemd && *row->second.value == line.value;
    if (!isNew && !keepsPlace) row->second = {&line.value, index};
  }
  [[nodiscard]] std::optional<std::size_t> winner() const {
    std::optional<std::size_t> newest;
    for (const auto& [key, row] : m_rows) {
      if (row.value->has_value() && (!newest || row.index > *newest)) newest = row.index;
    }
    return newest;
  }

private:
  struct Row {
    const std::optional<UntrustedText>* value;
    std::size_t index;
  };
  SysctlBootTool m_tool;
  std::map<std::string_view, Row> m_rows;
};

}  // namespace

std::string_view path(SysctlFolder folder) {
  constexpr std::array<std::string_view, kSysctlFolderCount> kPaths = {
      "/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d", "/lib/sysctl.d"};
  return kPaths.at(static_cast<std::size_t>(folder));
}

SysctlSources::Entry SysctlSources::entryOf(const SysctlSourceFile& file, std::string path) {
  Entry entry{UntrustedText(std::move(path)), file.name.rawBytes(), false, file.state == SysctlFileState::unread, {}};
  if (file.state == SysctlFileState::read) entry.file = parseSysctlFile(file.text);
  return entry;
}

SysctlSources::SysctlSources(const SysctlSourceFiles& files) : m_tool(files.tool) {
  // By the bytes of the name over all folders, whatever the folder.
  std::map<std::string_view, const SysctlSourceFile*> byName;
  for (const SysctlSourceFile& file : files.files) {
    const auto [there, isNew] = byName.try_emplace(file.name.rawBytes(), &file);
    if (!isNew && file.folder < there->second->folder) there->second = &file;
  }
  for (const auto& [name, file] : byName) {
    if (file->state != SysctlFileState::masked) m_entries.push_back(entryOf(*file, pathOf(*file)));
  }
  const bool readsSysctlConf = files.tool == SysctlBootTool::procps && files.sysctlConf;
  if (readsSysctlConf && files.sysctlConf->state != SysctlFileState::masked) {
    m_entries.push_back(entryOf(*files.sysctlConf, std::string(kSysctlConfPath)));
    m_entries.back().isLast = true;
  }
  for (const SysctlFolder folder : files.unreadFolders) m_unreadFolders.emplace_back(std::string(path(folder)));
}

std::vector<SysctlSource> SysctlSources::of(std::string_view key) const {
  std::vector<SysctlSource> sources;
  PatternTable patterns(m_tool);
  std::optional<std::size_t> newestNamed;
  for (const Entry& entry : m_entries) {
    for (const SysctlAssignment& line : entry.file.assignments) {
      if (line.isGlob ? !sysctlKeyMatches(line.key, key) : line.key != key) continue;
      if (line.isGlob) {
        patterns.take(line, sources.size());
      } else if (line.value || takesOut() || !newestNamed) {
        newestNamed = sources.size();
      }
      sources.push_back({entry.path, line.line, line.value, line.isGlob, SysctlSourceRole::replaced});
    }
  }
  for (SysctlSource& source : sources) {
    if (source.isGlob && newestNamed) source.role = SysctlSourceRole::outdone;
  }
  const std::optional<std::size_t> winner = newestNamed ? newestNamed : patterns.winner();
  if (winner) sources[*winner].role = SysctlSourceRole::wins;
  return sources;
}

std::optional<SysctlSource> SysctlSources::settingOf(std::string_view key) const {
  for (SysctlSource& source : of(key)) {
    if (source.role == SysctlSourceRole::wins && source.value) return std::move(source);
  }
  return std::nullopt;
}

SysctlOverride SysctlSources::overridesOf(std::string_view key, std::string_view name) const {
  SysctlOverride later;
  for (const Entry& entry : m_entries) {
    if (!entry.isLast && entry.name <= name) continue;
    for (const SysctlAssignment& line : entry.file.assignments) {
      // Patterns leave a key alone that a file names, as ours would.
      if (line.isGlob || line.key != key || !(line.value || takesOut())) continue;
      later.by.push_back({entry.path, line.line, line.value, false, SysctlSourceRole::replaced});
    }
  }
  if (!later.by.empty()) later.by.back().role = SysctlSourceRole::wins;
  later.unread = unreadFrom(name);
  return later;
}

std::size_t SysctlSources::skippedLines() const {
  std::size_t lines = 0;
  for (const Entry& entry : m_entries) lines += entry.file.skippedLines;
  return lines;
}

std::vector<UntrustedText> SysctlSources::unread() const {
  return unreadFrom({});
}

std::vector<UntrustedText> SysctlSources::unreadFrom(std::string_view name) const {
  std::vector<UntrustedText> paths = m_unreadFolders;
  for (const Entry& entry : m_entries) {
    if (entry.isUnread && (entry.isLast || entry.name > name)) paths.push_back(entry.path);
  }
  return paths;
}

}  // namespace tcpscope
