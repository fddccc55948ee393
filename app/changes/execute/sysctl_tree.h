// Sysctls of this process's network namespace. Only keys of the allow-list (core/changes/setting_rule.h) become paths.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/changes/setting_rule.h"

namespace tcpscope {

class SysctlTree {
public:
  explicit SysctlTree(std::filesystem::path procRoot = "/proc") : m_procRoot(std::move(procRoot)) {}

  /// As the kernel formats it, with single blanks; errno if it cannot be read, EINVAL for a key that is not allowed.
  [[nodiscard]] Expected<std::string, int> read(const std::string& key) const;
  /// In one write(2), as the kernel requires. The kernel may set another value: read it back.
  [[nodiscard]] Expected<void, int> write(const std::string& key, const std::string& value) const;

  /// Could it be written? Writes nothing; errno if it could not.
  [[nodiscard]] Expected<void, int> checkWritable(const std::string& key) const;

  /// Of this boot, from random/boot_id; empty if unknown.
  [[nodiscard]] std::string bootId() const;
  /// Inode of the network namespace; 0 if unknown.
  [[nodiscard]] std::uint64_t networkNamespace() const;
  /// Whether it is that of PID 1; unknown if that process is hidden.
  [[nodiscard]] std::optional<bool> isHostNamespace() const;

private:
  std::filesystem::path m_procRoot;
};

}  // namespace tcpscope
