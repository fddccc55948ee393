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
  /// Opened, made if missing, and locked until it is destroyed: two programs never change a host at once.
  static Expected<ChangeJournal, ChangeError> open(const std::filesystem::path& path);
  /// `noSuchChange` where there is no journal yet.
  static Expected<ChangeJournal, ChangeError> openExisting(const std::filesystem::path& path);

  /// All records, the oldest first. Fails where a file of ours is no whole record: a journal that lost something knows
  /// no originals.
  [[nodiscard]] Expected<std::vector<ChangeRecord>, ChangeError> records() const;
  /// On the disk when it returns.
  [[nodiscard]] Expected<void, ChangeError> write(const ChangeRecord& record) const;
  /// Forgets reverted changes but for the latest hundred.
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
