// The files in which the originals of tuned connections are kept, one a connection. The folder is locked while the
// object lives, so that two programs do not change one connection between each other's looks.
#pragma once

#include <filesystem>
#include <optional>

#include "app/store/state_directory.h"
#include "core/changes/tune_error.h"
#include "core/changes/tune_record.h"

namespace tcpscope {

class OptionJournal {
public:
  /// Makes the folder where there is none, for its user alone. Records of earlier boots go: their connections are gone.
  static Expected<OptionJournal, TuneError> open(const std::filesystem::path& folder, const TuneKey& key);
  /// Nothing where there is no folder; nothing is made.
  static Expected<std::optional<TuneRecord>, TuneError> peek(const std::filesystem::path& folder, const TuneKey& key);

  /// Nothing where this connection was not changed.
  [[nodiscard]] Expected<std::optional<TuneRecord>, TuneError> load() const;
  /// The file is the old or the new one at every instant, and on disk before this returns. Without options it goes.
  [[nodiscard]] Expected<void, TuneError> store(const TuneRecord& record) const;

private:
  OptionJournal(StateDirectory folder, OwnedDescriptor lock, std::filesystem::path path, TuneKey key)
      : m_folder(std::move(folder)), m_lock(std::move(lock)), m_path(std::move(path)), m_key(std::move(key)) {}

  void forgetEarlierBoots() const;

  StateDirectory m_folder;
  OwnedDescriptor m_lock;
  std::filesystem::path m_path;
  TuneKey m_key;
};

}  // namespace tcpscope
