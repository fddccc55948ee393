#include "app/changes/execute/sysctl_changer.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "app/changes/execute/revert_timer.h"
#include "core/changes/persisted_settings.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostPersistedBytes = 65'536;

Unexpected<ChangeError> failed(ChangeErrorKind kind, std::string object, int number = 0) {
  return Unexpected<ChangeError>(ChangeError{kind, number, UntrustedText(std::move(object))});
}

Unexpected<ChangeError> failed(std::uint32_t id, ChangeErrorKind kind) {
  return failed(kind, std::to_string(id));
}

bool isMissingRight(int number) {
  return number == EACCES || number == EPERM || number == EROFS;
}

ChangeErrorKind kindOf(int number, ChangeErrorKind otherwise) {
  if (isMissingRight(number)) return ChangeErrorKind::missingRight;
  return number == ENOENT ? ChangeErrorKind::noSuchSetting : otherwise;
}

ChangeRecord* find(std::vector<ChangeRecord>& records, std::uint32_t id) {
  const auto found =
      std::find_if(records.begin(), records.end(), [&](const ChangeRecord& one) { return one.id == id; });
  return found == records.end() ? nullptr : &*found;
}

/// Whether the journal explains the file. After a kill between writing the file and the journal they differ by one
/// change.
bool explains(const std::vector<ChangeRecord>& records, const std::string& file) {
  if (persistedSettings(records) == file) return true;
  return std::any_of(records.begin(), records.end(), [&](const ChangeRecord& record) {
    if (!record.persist) return false;
    std::vector<ChangeRecord> others = records;
    find(others, record.id)->state =
        record.state == ChangeState::confirmed ? ChangeState::reverted : ChangeState::confirmed;
    return persistedSettings(others) == file;
  });
}

}  // namespace

SysctlChanger::SysctlChanger(ChangeFolders folders) : m_folders(std::move(folders)), m_tree(m_folders.root / "proc") {}

std::vector<SettingPreview> SysctlChanger::preview(const std::vector<WantedSetting>& wanted,
                                                   const SysctlReadLimits& files) const {
  // Files only take effect in the initial network namespace. If it is unknown which one this is, it most likely is
  // that.
  const bool isHost = m_tree.isHostNamespace().value_or(true);
  const SysctlSources sources(isHost ? readSysctlSourceFiles(m_folders.root, files) : SysctlSourceFiles());
  std::vector<SettingPreview> rows;
  for (const WantedSetting& one : wanted) {
    SettingPreview row{one.key, std::nullopt, one.value};
    const auto setting = checkedSetting(one.key, one.value);
    const auto now = m_tree.read(one.key);
    if (now) row.now = *now;
    if (!setting) {
      row.verdict = PreviewVerdict::refused;
      row.refusal = setting.error().refusal;
    } else if (!now && now.error() == ENOENT) {
      row.verdict = PreviewVerdict::missing;
    } else if (now == setting->value) {
      row.verdict = PreviewVerdict::same;
    }
    row.obsolete = obsoleteReason(row.key, withSingleBlanks(row.wanted), row.now);
    if (row.refusal != SettingRefusal::keyNotAllowed) {
      row.setBy = sources.settingOf(row.key);
      row.overriddenBy = sources.overridesOf(row.key);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool SysctlChanger::isOverdue(const ChangeRecord& record) const {
  return tcpscope::isOverdue(record, bootTime(), m_tree.bootId());
}

Expected<SysctlChanger::Opened, ChangeError> SysctlChanger::settled(Expected<ChangeJournal, ChangeError> journal) {
  if (!journal) return tl::unexpected(journal.error());
  auto records = journal->records();
  if (!records) return tl::unexpected(records.error());
  Opened opened{std::move(*journal), std::move(*records)};
  for (ChangeRecord& record : opened.records) {
    // A change of another namespace has a timer there; failing to revert it here is no error.
    if (isOverdue(record)) static_cast<void>(revert(opened, record));
  }
  return opened;
}

Expected<SysctlChanger::Opened, ChangeError> SysctlChanger::openWith(std::uint32_t id) {
  auto opened = settled(ChangeJournal::openExisting(m_folders.journal));
  const bool isMissing =
      opened ? find(opened->records, id) == nullptr : opened.error().kind == ChangeErrorKind::noSuchChange;
  if (isMissing) return failed(id, ChangeErrorKind::noSuchChange);
  return opened;
}

Expected<ChangeRecord, ChangeError> SysctlChanger::plan(const ChangeRequest& request,
                                                        const std::vector<WantedSetting>& settings) const {
  ChangeRecord record;
  record.bootId = m_tree.bootId();
  record.networkNamespace = m_tree.networkNamespace();
  record.isHostNamespace = m_tree.isHostNamespace().value_or(false);
  record.madeAtSeconds = std::time(nullptr);
  record.persist = request.persist;
  if (request.revertAfter) record.deadline = bootTime() + *request.revertAfter;
  for (const WantedSetting& setting : settings) {
    const auto now = m_tree.read(setting.key);
    if (!now) return failed(kindOf(now.error(), ChangeErrorKind::writeFailed), setting.key, now.error());
    for (const WantedSetting& expected : request.expected) {
      if (expected.key == setting.key && withSingleBlanks(expected.value) != *now) {
        return failed(ChangeErrorKind::changedMeanwhile, setting.key);
      }
    }
    if (*now != setting.value) record.settings.push_back({setting.key, *now, setting.value});
  }
  return record;
}

Expected<std::optional<ChangeRecord>, ChangeError> SysctlChanger::apply(const ChangeRequest& request) {
  const auto settings = checkedRequest(request.settings);
  if (!settings) {
    const RefusedSetting& refused = settings.error();
    return tl::unexpected(ChangeError{ChangeErrorKind::refusedSetting, 0, UntrustedText(refused.key), refused.refusal});
  }
  if (request.persist && m_tree.isHostNamespace() != true)
    return failed(ChangeErrorKind::cannotPersistHere, std::string(kOwnSysctlFile));
  auto opened = settled(ChangeJournal::open(m_folders.journal));
  if (!opened) return tl::unexpected(opened.error());
  for (const ChangeRecord& record : opened->records) {
    if (record.state == ChangeState::preparing) return failed(record.id, ChangeErrorKind::unfinishedChange);
  }
  auto planned = plan(request, *settings);
  if (!planned) return tl::unexpected(planned.error());
  if (planned->settings.empty()) return std::optional<ChangeRecord>();
  planned->id = opened->records.empty() ? 1 : opened->records.back().id + 1;
  opened->records.push_back(std::move(*planned));
  ChangeRecord& record = opened->records.back();
  if (const auto journalled = opened->journal.write(record); !journalled) return tl::unexpected(journalled.error());

  auto done = Expected<void, ChangeError>();
  if (record.deadline) {
    const int number = startRevertTimer(*record.deadline, [&] { expire(record.id); });
    if (number != 0) done = failed(ChangeErrorKind::timerFailed, std::to_string(record.id), number);
  }
  if (done) done = writeAll(record);
  if (done) {
    record.state = ChangeState::applied;
    done = record.deadline ? opened->journal.write(record) : confirm(*opened, record);
  }
  if (!done) {
    static_cast<void>(revert(*opened, record));
    return tl::unexpected(done.error());
  }
  opened->journal.prune(opened->records);
  return std::optional<ChangeRecord>(record);
}

Expected<void, ChangeError> SysctlChanger::writeAll(const ChangeRecord& record) const {
  for (const ChangedSetting& setting : record.settings) {
    if (const auto written = m_tree.write(setting.key, setting.wanted); !written) {
      const bool isRight = isMissingRight(written.error());
      return failed(isRight ? ChangeErrorKind::missingRight : ChangeErrorKind::notTaken, setting.key, written.error());
    }
    if (m_tree.read(setting.key) == setting.wanted) continue;
    // Neither the original nor the requested value: a compare-and-set revert would leave it alone.
    static_cast<void>(m_tree.write(setting.key, setting.original));
    return failed(ChangeErrorKind::notTaken, setting.key);
  }
  return {};
}

std::vector<RestoredSetting> SysctlChanger::restore(const ChangeRecord& record) const {
  const bool isGone = record.bootId != m_tree.bootId() && !record.isHostNamespace;
  std::vector<RestoredSetting> rows;
  for (auto setting = record.settings.rbegin(); setting != record.settings.rend(); ++setting) {
    RestoredSetting row{setting->key, RestoreOutcome::gone, std::nullopt};
    if (isGone) {
      rows.push_back(std::move(row));
      continue;
    }
    const auto now = m_tree.read(setting->key);
    if (!now) {
      row.outcome = RestoreOutcome::failed;
      row.errorNumber = now.error();
    } else if (*now == setting->original) {
      row.outcome = RestoreOutcome::wasOriginal;
    } else if (*now != setting->wanted) {
      row.outcome = RestoreOutcome::leftAlone;
    } else if (const auto written = m_tree.write(setting->key, setting->original); !written) {
      row.outcome = RestoreOutcome::failed;
      row.errorNumber = written.error();
    } else {
      row.outcome = RestoreOutcome::restored;
    }
    if (const auto after = m_tree.read(setting->key)) row.now = *after;
    rows.push_back(std::move(row));
  }
  return rows;
}

Expected<RevertedChange, ChangeError> SysctlChanger::revert(Opened& opened, ChangeRecord& record) {
  const bool isThisBoot = record.bootId == m_tree.bootId();
  const bool isHere = isThisBoot ? record.networkNamespace == m_tree.networkNamespace()
                                 : !record.isHostNamespace || m_tree.isHostNamespace() == true;
  if (!isHere) return failed(record.id, ChangeErrorKind::otherNamespace);
  ChangeRecord reverted = record;
  reverted.state = ChangeState::reverted;
  // The file first: after a kill here the journal still has the change.
  auto persisted = Expected<void, ChangeError>();
  if (record.persist) {
    std::vector<ChangeRecord> after = opened.records;
    *find(after, record.id) = reverted;
    persisted = persist(after);
  }
  RevertedChange result{std::move(reverted), restore(record)};
  // Another program's file is left alone, which is no reason to keep the current values.
  result.fileLeftAlone = !persisted && persisted.error().kind == ChangeErrorKind::persistedFileChanged;
  if (!persisted && !result.fileLeftAlone) return tl::unexpected(persisted.error());
  for (const RestoredSetting& row : result.settings) {
    if (row.outcome != RestoreOutcome::failed) continue;
    return failed(kindOf(row.errorNumber, ChangeErrorKind::writeFailed), row.key, row.errorNumber);
  }
  if (const auto journalled = opened.journal.write(result.record); !journalled) {
    return tl::unexpected(journalled.error());
  }
  record.state = ChangeState::reverted;
  return result;
}

Expected<void, ChangeError> SysctlChanger::confirm(Opened& opened, ChangeRecord& record) {
  std::vector<ChangeRecord> after = opened.records;
  ChangeRecord& confirmed = *find(after, record.id);
  confirmed.state = ChangeState::confirmed;
  if (record.persist) {
    if (auto persisted = persist(after); !persisted) return persisted;
  }
  if (auto journalled = opened.journal.write(confirmed); !journalled) return journalled;
  record.state = ChangeState::confirmed;
  return {};
}

Expected<ChangeRecord, ChangeError> SysctlChanger::confirm(std::uint32_t id) {
  auto opened = openWith(id);
  if (!opened) return tl::unexpected(opened.error());
  ChangeRecord* const record = find(opened->records, id);
  if (record->state == ChangeState::preparing) return failed(id, ChangeErrorKind::unfinishedChange);
  if (record->state != ChangeState::applied) return failed(id, ChangeErrorKind::wrongState);
  return confirm(*opened, *record).map([&] { return *record; });
}

Expected<RevertedChange, ChangeError> SysctlChanger::revert(std::uint32_t id) {
  auto opened = openWith(id);
  if (!opened) return tl::unexpected(opened.error());
  ChangeRecord* const record = find(opened->records, id);
  if (!isOpen(*record)) return failed(id, ChangeErrorKind::wrongState);
  return revert(*opened, *record);
}

Expected<void, ChangeError> SysctlChanger::choose(std::uint32_t id, SettingVersion version) {
  const auto opened = openWith(id);
  if (!opened) return tl::unexpected(opened.error());
  const ChangeRecord& record = *std::find_if(opened->records.begin(), opened->records.end(),
                                             [&](const ChangeRecord& one) { return one.id == id; });
  if (record.state == ChangeState::preparing) return failed(id, ChangeErrorKind::unfinishedChange);
  if (!isOpen(record)) return failed(id, ChangeErrorKind::wrongState);
  if (record.bootId != m_tree.bootId() || record.networkNamespace != m_tree.networkNamespace()) {
    return failed(id, ChangeErrorKind::otherNamespace);
  }
  for (const ChangedSetting& setting : record.settings) {
    const auto now = m_tree.read(setting.key);
    if (now != setting.original && now != setting.wanted) {
      return failed(ChangeErrorKind::changedMeanwhile, setting.key);
    }
    const std::string& value = version == SettingVersion::original ? setting.original : setting.wanted;
    if (now == value) continue;
    if (const auto written = m_tree.write(setting.key, value); !written) {
      return failed(kindOf(written.error(), ChangeErrorKind::writeFailed), setting.key, written.error());
    }
  }
  return {};
}

void SysctlChanger::expire(std::uint32_t id) {
  // Opening reverts overdue trials; a change that a killed program left partly written is reverted as well.
  auto opened = openWith(id);
  if (!opened) return;
  ChangeRecord* const record = find(opened->records, id);
  if (record->state == ChangeState::preparing) static_cast<void>(revert(*opened, *record));
}

Expected<std::vector<ChangeRecord>, ChangeError> SysctlChanger::list() {
  auto opened = settled(ChangeJournal::openExisting(m_folders.journal));
  if (opened) return std::move(opened->records);
  if (opened.error().kind == ChangeErrorKind::noSuchChange) return std::vector<ChangeRecord>();
  return tl::unexpected(opened.error());
}

Expected<void, ChangeError> SysctlChanger::persist(const std::vector<ChangeRecord>& records) const {
  const std::string name(kOwnSysctlFile);
  const std::filesystem::path path = m_folders.root / "etc/sysctl.d";
  const auto folder = StateDirectory::openShared(path);
  if (!folder) return failed(kindOf(folder.error(), ChangeErrorKind::persistFailed), path, folder.error());
  const auto file = folder->read(name, kMostPersistedBytes);
  if (!file) return failed(ChangeErrorKind::persistedFileChanged, name, file.error());
  if (!explains(records, file->value_or(std::string()))) {
    return failed(ChangeErrorKind::persistedFileChanged, name);
  }
  const std::string text = persistedSettings(records);
  const auto written =
      text.empty() ? folder->remove(name) : folder->replace(name, text, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (!written) return failed(kindOf(written.error(), ChangeErrorKind::persistFailed), name, written.error());
  return {};
}

}  // namespace tcpscope
