// The journal of changes: one file a change, in a directory for its owner alone.
#pragma once

#include <filesystem>
#include <vector>

#include "app/store/state_directory.h"
#include "core/changes/change_error.h"
#include "core/changes/change_record.h"

namespace tcpscope {

class ChangeJournal {
public:
  /// Created if missing; locked until destroyed, so that two programs never change a host at once.
  static Expected<ChangeJournal, ChangeError> open(const std::filesystem::path& path);
  /// `noSuchChange` if there is no journal yet.
  static Expected<ChangeJournal, ChangeError> openExisting(const std::filesystem::path& path);

  /// Held by a comparison while it sets a change and its originals in turn. `comparisonRunning` if another one holds
  /// it.
  static Expected<OwnedDescriptor, ChangeError> lockComparison(const std::filesystem::path& path, LockWait wait);
  [[nodiscard]] bool isComparisonRunning() const;

  /// All records, the oldest first. Fails if a record is damaged: an incomplete journal cannot be reverted from.
  [[nodiscard]] Expected<std::vector<ChangeRecord>, ChangeError> records() const;
  /// Returns after fsync.
  [[nodiscard]] Expected<void, ChangeError> write(const ChangeRecord& record) const;
  /// Removes reverted changes except the latest hundred.
  void prune(const std::vector<ChangeRecord>& records) const;

private:
  static Expected<ChangeJournal, ChangeError> locked(Expected<StateDirectory, int> directory,
                                                     const std::filesystem::path& path);
  ChangeJournal(StateDirectory directory, OwnedDescriptor lock)
      : m_directory(std::move(directory)), m_lock(std::move(lock)) {}

  StateDirectory m_directory;
  OwnedDescriptor m_lock;
};

}  // namespace tcpscope
