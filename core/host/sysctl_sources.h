// Which file sets a sysctl at boot, and which would override a file of ours: from the files' texts.
//
// What could not be read stays unknown and is named; it is never taken for a file that sets nothing. Which line wins is
// as tried with systemd-sysctl 252 and sysctl of procps 4.0.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/host/sysctl_file.h"

namespace tcpscope {

/// Where files that set sysctls are. Of files with one name in several folders, only that of the first one counts.
enum class SysctlFolder : std::uint8_t { etc, run, usrLocalLib, usrLib, lib };
inline constexpr std::size_t kSysctlFolderCount = 5;
/// "/etc/sysctl.d"
std::string_view path(SysctlFolder folder);
inline constexpr std::string_view kSysctlConfPath = "/etc/sysctl.conf";
/// The file that tcpscope keeps settings in.
inline constexpr std::string_view kOwnSysctlFile = "90-tcpscope.conf";

enum class SysctlFileState : std::uint8_t {
  read,
  /// A link to /dev/null or to nothing, or no regular file: sets nothing and hides those of its name, as in systemd
  /// 252.
  masked,
  /// Not permitted, too large, or failed: what it sets is not known.
  unread,
};

struct SysctlSourceFile {
  SysctlFolder folder = SysctlFolder::etc;
  /// "99-sysctl.conf"
  UntrustedText name;
  SysctlFileState state = SysctlFileState::read;
  std::string text;
};

/// Who applies the files at boot.
enum class SysctlBootTool : std::uint8_t {
  /// systemd-sysctl: /etc/sysctl.conf only where a link in a folder names it (Debian's 99-sysctl.conf).
  systemd,
  /// sysctl --system: /etc/sysctl.conf after all others.
  procps,
};

struct SysctlSourceFiles {
  SysctlBootTool tool = SysctlBootTool::systemd;
  /// In any order.
  std::vector<SysctlSourceFile> files;
  /// /etc/sysctl.conf itself; absent where there is none. Its folder and name do not count.
  std::optional<SysctlSourceFile> sysctlConf{};
  /// Folders whose files are not known, as no list of them could be read or it was too long.
  std::vector<SysctlFolder> unreadFolders{};
};

enum class SysctlSourceRole : std::uint8_t {
  /// What the key has after boot.
  wins,
  /// Another one comes later.
  replaced,
  /// A pattern that does not count, as some file names the key itself.
  outdone,
};

/// One line that is about a key.
struct SysctlSource {
  /// "/etc/sysctl.d/99-sysctl.conf"
  UntrustedText path;
  std::size_t line = 0;
  /// Absent: the line takes the key out of what is set at boot.
  std::optional<UntrustedText> value;
  bool isGlob = false;
  SysctlSourceRole role = SysctlSourceRole::replaced;

  bool operator==(const SysctlSource&) const = default;
};

struct SysctlOverride {
  /// In the order in which they are applied: the last one wins.
  std::vector<SysctlSource> by;
  /// Files and folders that might override it, but could not be read.
  std::vector<UntrustedText> unread;
};

class SysctlSources {
public:
  explicit SysctlSources(const SysctlSourceFiles& files);

  /// Every line about the key, in the order in which they are applied. Keys as `sysctl` names them.
  [[nodiscard]] std::vector<SysctlSource> of(std::string_view key) const;
  /// The line that decides; nothing where no file that was read sets the key.
  [[nodiscard]] std::optional<SysctlSource> settingOf(std::string_view key) const;
  /// What would come after a line about the key in /etc/sysctl.d/`name`.
  [[nodiscard]] SysctlOverride overridesOf(std::string_view key, std::string_view name = kOwnSysctlFile) const;
  /// Files and folders that count and could not be read, in order.
  [[nodiscard]] std::vector<UntrustedText> unread() const;
  /// Lines that were not understood, in all files that count.
  [[nodiscard]] std::size_t skippedLines() const;

private:
  struct Entry {
    UntrustedText path;
    std::string name;
    bool isLast = false;
    bool isUnread = false;
    SysctlFile file;
  };
  static Entry entryOf(const SysctlSourceFile& file, std::string path);
  [[nodiscard]] std::vector<UntrustedText> unreadFrom(std::string_view name) const;
  /// Whether "-key" undoes an earlier line of the key; for procps it only keeps patterns away from it.
  [[nodiscard]] bool takesOut() const { return m_tool == SysctlBootTool::systemd; }

  SysctlBootTool m_tool;
  /// In the order in which they are applied, without those that are hidden or masked.
  std::vector<Entry> m_entries;
  std::vector<UntrustedText> m_unreadFolders;
};

}  // namespace tcpscope
