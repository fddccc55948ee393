// A directory for persistent state: files are replaced atomically, and links are not followed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"

namespace tcpscope {

class StateDirectory {
public:
  /// Created if missing, mode 0700. Fails with errno; with EPERM if another user owns the directory or may write to it.
  static Expected<StateDirectory, int> openPrivate(const std::filesystem::path& path);
  /// A directory of the system, owned by root or this user; never created.
  static Expected<StateDirectory, int> openShared(const std::filesystem::path& path);

  /// Waits for an exclusive lock, held while the descriptor is open.
  [[nodiscard]] Expected<OwnedDescriptor, int> lock() const;

  /// Nothing if there is no such file. Fails for what is not a regular file, also for a link, and for more than `most`
  /// bytes.
  [[nodiscard]] Expected<std::optional<std::string>, int> read(const std::string& name, std::size_t most) const;
  /// Atomic: temporary file, fsync, rename, fsync of the directory. `mode` as of chmod(2).
  [[nodiscard]] Expected<void, int> replace(const std::string& name, std::string_view text, unsigned mode) const;
  /// No error if there is no such file.
  [[nodiscard]] Expected<void, int> remove(const std::string& name) const;
  /// All files in alphabetical order, except those that begin with a dot.
  [[nodiscard]] Expected<std::vector<std::string>, int> names() const;

private:
  explicit StateDirectory(OwnedDescriptor directory) : m_directory(std::move(directory)) {}

  OwnedDescriptor m_directory;
};

}  // namespace tcpscope
