// The settings of the network namespace that this process is in. Keys come from the allow-list (core/change): nothing
// else becomes a path.
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

  /// As the kernel shows it, with single blanks; errno where it cannot be read, EINVAL for a key that is not allowed.
  [[nodiscard]] Expected<std::string, int> read(const std::string& key) const;
  /// In one call, as the kernel wants it. It may make something else of it: who minds reads back.
  [[nodiscard]] Expected<void, int> write(const std::string& key, const std::string& value) const;

  /// Of this boot, from random/boot_id; empty where it is not told.
  [[nodiscard]] std::string bootId() const;
  /// Inode of the network namespace; 0 where it is not told.
  [[nodiscard]] std::uint64_t networkNamespace() const;
  /// Whether it is that of the first process; not known where that one is hidden.
  [[nodiscard]] std::optional<bool> isHostNamespace() const;

private:
  std::filesystem::path m_procRoot;
};

}  // namespace tcpscope
