// The originals of connections whose options were changed, one file a connection. The folder is locked while the object
// lives, so that two programs do not interleave their reads and writes.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/store/state_directory.h"
#include "core/changes/tune_error.h"
#include "core/changes/tune_record.h"

namespace tcpscope {

class OptionJournal {
public:
  /// Creates the folder if missing, mode 0700. Removes records of earlier boots, whose connections are gone.
  static Expected<OptionJournal, TuneError> open(const std::filesystem::path& folder, const TuneKey& key);
  /// Nothing if there is no folder; creates nothing.
  static Expected<std::optional<TuneRecord>, TuneError> peek(const std::filesystem::path& folder, const TuneKey& key);

  /// The records of this boot whose trial has ended. Creates nothing.
  static std::vector<TuneRecord> overdue(const std::filesystem::path& folder, std::string_view bootId,
                                         Nanoseconds bootTime);

  /// Nothing if this connection was not changed.
  [[nodiscard]] Expected<std::optional<TuneRecord>, TuneError> load() const;
  /// Replaces the file atomically and syncs it. A record without options removes the file.
  [[nodiscard]] Expected<void, TuneError> store(const TuneRecord& record) const;

private:
  OptionJournal(StateDirectory folder, OwnedDescriptor lock, std::filesystem::path path, TuneKey key)
      : m_folder(std::move(folder)), m_lock(std::move(lock)), m_path(std::move(path)), m_key(std::move(key)) {}

  void removeEarlierBoots() const;

  StateDirectory m_folder;
  OwnedDescriptor m_lock;
  std::filesystem::path m_path;
  TuneKey m_key;
};

}  // namespace tcpscope
