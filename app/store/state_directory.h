// A directory for persistent state: files are replaced atomically, and links are not followed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"

namespace tcpscope {

/// What a lock does while another process holds it.
enum class LockWait : std::uint8_t { untilFree, never };

class StateDirectory {
public:
  /// Created if missing, mode 0700. Fails with errno; with EPERM if another user owns the directory or may write to it.
  static Expected<StateDirectory, int> openPrivate(const std::filesystem::path& path);
  /// A directory of the system, owned by root or this user; never created.
  static Expected<StateDirectory, int> openShared(const std::filesystem::path& path);

  /// An exclusive lock of this name, held while the descriptor is open. EWOULDBLOCK if it is not free and need not be
  /// waited for.
  [[nodiscard]] Expected<OwnedDescriptor, int> lock(const std::string& name = ".lock",
                                                    LockWait wait = LockWait::untilFree) const;

  /// Whether this user may create files here; EROFS, EACCES or EPERM otherwise.
  [[nodiscard]] Expected<void, int> checkWritable() const;

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
