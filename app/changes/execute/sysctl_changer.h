// Changes of this host's settings, made so that they can be undone: looked at before, journalled before anything is
// written, read back, put back on any failure, and undone unless confirmed in time.
//
// For a process with a single thread: it may leave a child behind that waits for the time to undo.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/changes/journal/change_journal.h"
#include "app/changes/execute/sysctl_tree.h"
#include "core/changes/change_report.h"

namespace tcpscope {

struct ChangeFolders {
  std::filesystem::path journal;
  /// Above proc and etc.
  std::filesystem::path root = "/";
};

struct SysctlRequest {
  std::vector<WantedSetting> settings;
  /// What the caller saw; a key that it does not name may be anything.
  std::vector<WantedSetting> expected;
  /// Also for the boots to come, as soon as it is confirmed.
  bool persist = false;
  /// Undone after so long unless it is confirmed; without, it is confirmed at once.
  std::optional<Milliseconds> revertAfter;
};

enum class SettingVersion : std::uint8_t { original, changed };

class SysctlChanger {
public:
  explicit SysctlChanger(ChangeFolders folders);

  /// What `apply` would do; needs no right and touches nothing.
  [[nodiscard]] std::vector<SettingPreview> preview(const std::vector<WantedSetting>& wanted) const;

  /// Nothing where all of it is set already. Every error leaves the host as it was.
  Expected<std::optional<ChangeRecord>, ChangeError> apply(const SysctlRequest& wish);
  Expected<ChangeRecord, ChangeError> confirm(std::uint32_t id);
  /// Puts back what still is as the change left it; what somebody else changed since is told and left alone.
  Expected<RevertedChange, ChangeError> revert(std::uint32_t id);
  /// Sets what the change changed to what was before it, or again as it made it, and leaves its state as it is: for
  /// comparing the two. `changedMeanwhile` where a setting has neither value.
  Expected<void, ChangeError> choose(std::uint32_t id, SettingVersion version);
  /// Reverts a change that was not confirmed in time, and does nothing to any other.
  void expire(std::uint32_t id);
  /// The oldest first; those whose time is up are reverted before.
  Expected<std::vector<ChangeRecord>, ChangeError> list();

private:
  struct Opened {
    ChangeJournal journal;
    std::vector<ChangeRecord> records;
  };

  /// The journal with its records, after those whose time is up were reverted.
  Expected<Opened, ChangeError> settled(Expected<ChangeJournal, ChangeError> journal);
  /// The same, and the change in it; `noSuchChange` where it is not there.
  Expected<Opened, ChangeError> openWith(std::uint32_t id);
  [[nodiscard]] bool isOverdue(const ChangeRecord& record) const;
  Expected<ChangeRecord, ChangeError> drawUp(const SysctlRequest& wish, const std::vector<WantedSetting>& settings) const;
  [[nodiscard]] Expected<void, ChangeError> writeAll(const ChangeRecord& record) const;
  [[nodiscard]] std::vector<RestoredSetting> restore(const ChangeRecord& record) const;
  Expected<RevertedChange, ChangeError> revert(Opened& opened, ChangeRecord& record);
  Expected<void, ChangeError> confirm(Opened& opened, ChangeRecord& record);
  /// The settings for the next boot, as the records want them. Fails where the file was changed by somebody else.
  [[nodiscard]] Expected<void, ChangeError> persist(const std::vector<ChangeRecord>& records) const;

  ChangeFolders m_folders;
  SysctlTree m_tree;
};

}  // namespace tcpscope
