// Applies, confirms and reverts changes of this host's sysctls. A change is journalled before anything is written, read
// back, reverted on any failure, and reverted at the end of its trial unless it is confirmed.
//
// For a process with a single thread: a trial forks a child that waits for its end.
#pragma once

#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/changes/execute/revert_timer.h"
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

struct ChangeClocks {
  /// CLOCK_BOOTTIME: the ends of trials.
  std::function<Nanoseconds()> boot = bootTime;
  /// In seconds, for display only: it may be stepped at any time.
  std::function<std::int64_t()> wall = [] { return std::time(nullptr); };
};

class SysctlChanger {
public:
  explicit SysctlChanger(ChangeFolders folders, ChangeClocks clocks = {});

  [[nodiscard]] const ChangeFolders& folders() const { return m_folders; }

  /// What `apply` would do. Needs no rights and writes nothing. Of keys outside the allow-list nothing is read.
  [[nodiscard]] std::vector<SettingPreview> preview(const std::vector<WantedSetting>& wanted,
                                                    const SysctlReadLimits& files = {}) const;

  /// Nothing if every setting has its requested value. Every error leaves the host unchanged.
  Expected<std::optional<ChangeRecord>, ChangeError> apply(const ChangeRequest& request);
  Expected<ChangeRecord, ChangeError> confirm(std::uint32_t id);
  /// Restores the settings that still have the value of the change; others are reported and left alone. Where a later
  /// change set one again, that one gets its original (core/changes/change_stack.h).
  Expected<RevertedChange, ChangeError> revert(std::uint32_t id);
  /// Sets the originals, or the values of the change again, without changing its state: for a comparison of the two
  /// (setting_comparison.h). The journal has it first. `changedMeanwhile` if a setting has neither value, or
  /// that of a later change.
  Expected<void, ChangeError> choose(std::uint32_t id, SettingVersion version);
  /// Reverts a change at the end of its trial; does nothing to a confirmed or reverted one.
  void expire(std::uint32_t id);
  /// Reverts overdue trials, closes changes that ended with their boot or network namespace, and sets what a killed
  /// comparison left. Every call that changes something does so first.
  void settle();
  /// The oldest first. Writes nothing: for callers without rights.
  [[nodiscard]] Expected<std::vector<ChangeRecord>, ChangeError> list() const;

private:
  struct Opened {
    ChangeJournal journal;
    std::vector<ChangeRecord> records;
  };

  /// The journal with its records, after settle().
  Expected<Opened, ChangeError> settled(Expected<ChangeJournal, ChangeError> journal);
  /// The same; `noSuchChange` if it lacks this change.
  Expected<Opened, ChangeError> openWith(std::uint32_t id);
  /// Of those that are open: which ended with their boot, or with their network namespace as far as this process can
  /// know.
  [[nodiscard]] std::set<std::uint32_t> goneChanges(const std::vector<ChangeRecord>& records) const;
  void close(Opened& opened, ChangeRecord& record) const;
  /// Journals the other records that `after` changes: after a kill the rest is done once more.
  Expected<void, ChangeError> handOn(Opened& opened, const std::vector<ChangeRecord>& after, std::uint32_t from) const;
  Expected<ChangeRecord, ChangeError> plan(const ChangeRequest& request,
                                           const std::vector<WantedSetting>& settings) const;
  [[nodiscard]] Expected<void, ChangeError> writeAll(const ChangeRecord& record) const;
  [[nodiscard]] std::vector<RestoredSetting> restore(const Opened& opened, const ChangeRecord& record) const;
  Expected<RevertedChange, ChangeError> revert(Opened& opened, ChangeRecord& record);
  Expected<void, ChangeError> confirm(Opened& opened, ChangeRecord& record);
  Expected<void, ChangeError> choose(const Opened& opened, ChangeRecord& record, SettingVersion version) const;
  /// Whether persist() could write the file, without writing it.
  [[nodiscard]] Expected<void, ChangeError> checkPersisting(const std::vector<ChangeRecord>& records) const;
  /// Writes the drop-in for the next boot from the records `after`. Fails if the present ones do not explain the file:
  /// another program changed it.
  [[nodiscard]] Expected<void, ChangeError> persist(const std::vector<ChangeRecord>& present,
                                                    const std::vector<ChangeRecord>& after) const;

  ChangeFolders m_folders;
  ChangeClocks m_clocks;
  SysctlTree m_tree;
};

}  // namespace tcpscope
