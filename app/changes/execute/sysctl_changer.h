// Applies, confirms and reverts changes of this host's sysctls. A change is journalled before anything is written, read
// back, reverted on any failure, and reverted at the end of its trial unless it is confirmed.
//
// For a process with a single thread: a trial forks a child that waits for its end.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/changes/execute/sysctl_tree.h"
#include "app/changes/journal/change_journal.h"
#include "collectors/host/sysctl_source_reader.h"
#include "core/changes/change_report.h"

namespace tcpscope {

struct ChangeFolders {
  std::filesystem::path journal;
  /// Above proc and etc.
  std::filesystem::path root = "/";
};

enum class SettingVersion : std::uint8_t { original, changed };

class SysctlChanger {
public:
  explicit SysctlChanger(ChangeFolders folders);

  /// What `apply` would do. Needs no rights and writes nothing. Of keys outside the allow-list nothing is read.
  [[nodiscard]] std::vector<SettingPreview> preview(const std::vector<WantedSetting>& wanted,
                                                    const SysctlReadLimits& files = {}) const;

  /// Nothing if every setting has its requested value. Every error leaves the host unchanged.
  Expected<std::optional<ChangeRecord>, ChangeError> apply(const ChangeRequest& request);
  Expected<ChangeRecord, ChangeError> confirm(std::uint32_t id);
  /// Restores the settings that still have the value of the change; others are reported and left alone.
  Expected<RevertedChange, ChangeError> revert(std::uint32_t id);
  /// Sets the originals, or the values of the change again, without changing its state: for a comparison of the two.
  /// `changedMeanwhile` if a setting has neither value.
  Expected<void, ChangeError> choose(std::uint32_t id, SettingVersion version);
  /// Reverts a change at the end of its trial; does nothing to a confirmed or reverted one.
  void expire(std::uint32_t id);
  /// The oldest first, after overdue trials were reverted.
  Expected<std::vector<ChangeRecord>, ChangeError> list();

private:
  struct Opened {
    ChangeJournal journal;
    std::vector<ChangeRecord> records;
  };

  /// The journal with its records, after overdue trials were reverted.
  Expected<Opened, ChangeError> settled(Expected<ChangeJournal, ChangeError> journal);
  /// The same; `noSuchChange` if it lacks this change.
  Expected<Opened, ChangeError> openWith(std::uint32_t id);
  [[nodiscard]] bool isOverdue(const ChangeRecord& record) const;
  Expected<ChangeRecord, ChangeError> plan(const ChangeRequest& request,
                                           const std::vector<WantedSetting>& settings) const;
  [[nodiscard]] Expected<void, ChangeError> writeAll(const ChangeRecord& record) const;
  [[nodiscard]] std::vector<RestoredSetting> restore(const ChangeRecord& record) const;
  Expected<RevertedChange, ChangeError> revert(Opened& opened, ChangeRecord& record);
  Expected<void, ChangeError> confirm(Opened& opened, ChangeRecord& record);
  /// Writes the drop-in for the next boot from the records. Fails if another program changed the file.
  [[nodiscard]] Expected<void, ChangeError> persist(const std::vector<ChangeRecord>& records) const;

  ChangeFolders m_folders;
  SysctlTree m_tree;
};

}  // namespace tcpscope
