// A directory of our own for what must survive: files are replaced whole or not at all, and nobody else's links are
// followed.
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
  /// Made if missing, for its owner alone. Fails with errno; with EPERM where the directory is somebody else's or
  /// others may write to it.
  static Expected<StateDirectory, int> openPrivate(const std::filesystem::path& path);
  /// A directory of the system, which has to be root's or ours; never made.
  static Expected<StateDirectory, int> openShared(const std::filesystem::path& path);

  /// Nobody else has the lock as long as the descriptor is open; waits for it.
  [[nodiscard]] Expected<OwnedDescriptor, int> lock() const;

  /// Nothing where there is no such file. Fails for what is no plain file (a link is none) and for more than `most`
  /// bytes.
  [[nodiscard]] Expected<std::optional<std::string>, int> read(const std::string& name, std::size_t most) const;
  /// Old or new, whatever happens: temporary file, fsync, rename, fsync of the directory. `mode` as of chmod.
  [[nodiscard]] Expected<void, int> replace(const std::string& name, std::string_view text, unsigned mode) const;
  /// No error where there is no such file.
  [[nodiscard]] Expected<void, int> remove(const std::string& name) const;
  /// Of all files, in alphabetical order; those that begin with a dot are not told.
  [[nodiscard]] Expected<std::vector<std::string>, int> names() const;

private:
  explicit StateDirectory(OwnedDescriptor directory) : m_directory(std::move(directory)) {}

  OwnedDescriptor m_directory;
};

}  // namespace tcpscope
