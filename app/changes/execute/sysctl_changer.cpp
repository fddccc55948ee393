#include "app/changes/execute/sysctl_changer.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <unordered_set>

#include "collectors/host/network_namespace_finder.h"
#include "core/changes/change_stack.h"
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

/// What the journal fails with when the originals are set already.
ChangeError afterRestoring(ChangeError error) {
  if (error.kind == ChangeErrorKind::journalFailed) error.kind = ChangeErrorKind::journalNotUpdated;
  return error;
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

}  // namespace

SysctlChanger::SysctlChanger(ChangeFolders folders, ChangeClocks clocks)
    : m_folders(std::move(folders)), m_clocks(std::move(clocks)), m_tree(m_folders.root / "proc") {}

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

Expected<SysctlChanger::Opened, ChangeError> SysctlChanger::settled(Expected<ChangeJournal, ChangeError> journal) {
  if (!journal) return tl::unexpected(journal.error());
  auto records = journal->records();
  if (!records) return tl::unexpected(records.error());
  Opened opened{std::move(*journal), std::move(*records)};
  const bool isCompared = opened.journal.isComparisonRunning();
  const std::set<std::uint32_t> gone = goneChanges(opened.records);
  for (ChangeRecord& record : opened.records) {
    if (gone.count(record.id) != 0) {
      close(opened, record);
    } else if (isOverdue(record, m_clocks.boot())) {
      // A change of another namespace has a timer there; failing to revert it here is no error.
      static_cast<void>(revert(opened, record));
    } else if (record.inForce == SettingVersion::original && isOpen(record) && !isCompared) {
      static_cast<void>(choose(opened, record, SettingVersion::changed));
    }
  }
  // A kill, or a folder that could not be written, may have left settings in the file that are not confirmed.
  const bool hasFile = std::any_of(opened.records.begin(), opened.records.end(),
                                   [](const ChangeRecord& record) { return record.persist; });
  if (hasFile && m_tree.isHostNamespace() == true) static_cast<void>(persist(opened.records, opened.records));
  return opened;
}

std::set<std::uint32_t> SysctlChanger::goneChanges(const std::vector<ChangeRecord>& records) const {
  std::set<std::uint32_t> gone;
  const std::string bootId = m_tree.bootId();
  const std::uint64_t own = m_tree.networkNamespace();
  // Only searched for a change of another namespace.
  std::optional<std::optional<std::unordered_set<std::uint64_t>>> existing;
  for (const ChangeRecord& record : records) {
    if (endedWithItsBoot(record, bootId)) gone.insert(record.id);
    const std::uint64_t inode = record.networkNamespace;
    const bool isOfAnother = isOpen(record) && record.bootId == bootId && !record.isHostNamespace && inode != 0;
    if (!isOfAnother || own == 0 || inode == own) continue;
    if (!existing) existing = findNetworkNamespaces(m_folders.root / "proc");
    if (*existing && (*existing)->count(inode) == 0) gone.insert(record.id);
  }
  return gone;
}

void SysctlChanger::close(Opened& opened, ChangeRecord& record) const {
  // What cannot be written now is closed by a later call: neither boot nor namespace come back.
  const std::vector<ChangeRecord> after = afterEnd(opened.records, record.id, ChangeState::gone);
  ChangeRecord closed = record;
  closed.state = ChangeState::gone;
  closed.inForce = SettingVersion::changed;
  if (handOn(opened, after, record.id) && opened.journal.write(closed)) record = std::move(closed);
}

Expected<void, ChangeError> SysctlChanger::handOn(Opened& opened, const std::vector<ChangeRecord>& after,
                                                  std::uint32_t from) const {
  for (std::size_t index = 0; index < after.size(); ++index) {
    if (after[index].id == from || after[index] == opened.records[index]) continue;
    if (auto journalled = opened.journal.write(after[index]); !journalled) return journalled;
    opened.records[index] = after[index];
  }
  return {};
}

void SysctlChanger::settle() {
  static_cast<void>(settled(ChangeJournal::openExisting(m_folders.journal)));
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
  record.madeAtSeconds = m_clocks.wall();
  record.persist = request.persist;
  if (request.revertAfter) record.deadline = m_clocks.boot() + *request.revertAfter;
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
  if (request.persist) {
    if (auto persists = checkPersisting(opened->records); !persists) return tl::unexpected(persists.error());
  }
  auto planned = plan(request, *settings);
  if (!planned) return tl::unexpected(planned.error());
  if (planned->settings.empty()) return std::optional<ChangeRecord>();
  // Refused before it is journalled: a change that was never made is none that was reverted.
  for (const ChangedSetting& setting : planned->settings) {
    const auto writable = m_tree.checkWritable(setting.key);
    if (!writable) {
      return failed(kindOf(writable.error(), ChangeErrorKind::writeFailed), setting.key, writable.error());
    }
  }
  if (const ChangeRecord* const interrupted = interruptedRevert(opened->records, *planned)) {
    return failed(interrupted->id, ChangeErrorKind::unfinishedChange);
  }
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

std::vector<RestoredSetting> SysctlChanger::restore(const Opened& opened, const ChangeRecord& record) const {
  std::vector<RestoredSetting> rows;
  for (auto setting = record.settings.rbegin(); setting != record.settings.rend(); ++setting) {
    RestoredSetting row{setting->key, RestoreOutcome::handedOn, std::nullopt};
    const auto now = m_tree.read(setting->key);
    // An interrupted change above may not have set its value yet, an interrupted revert may have set the original.
    const bool isUncovered =
        now == setting->wanted && !isSetAbove(opened.records, record, setting->key, setting->wanted);
    const bool isCovered = !isUncovered && coveringChange(opened.records, record, setting->key) != nullptr;
    if (isCovered) {
      if (now) row.now = *now;
      rows.push_back(std::move(row));
      continue;
    }
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
                                 : record.isHostNamespace && m_tree.isHostNamespace() == true;
  if (!isHere) return failed(record.id, ChangeErrorKind::otherNamespace);
  const std::vector<ChangeRecord> after = afterEnd(opened.records, record.id, ChangeState::reverted);
  // The file first: after a kill here the journal still has the change.
  auto persisted = Expected<void, ChangeError>();
  if (record.persist || persistedSettings(after) != persistedSettings(opened.records)) {
    persisted = persist(opened.records, after);
  }
  const auto handed = handOn(opened, after, record.id);
  // On a full disk, too: what no other change covers is set back now, the rest when the journal can be written again.
  RevertedChange result{record, restore(opened, record)};
  result.record.state = ChangeState::reverted;
  result.record.inForce = SettingVersion::changed;
  // A file that was changed by another program, or cannot be written, is no reason to keep the current values.
  result.fileLeftAlone = !persisted;
  if (!handed) return tl::unexpected(afterRestoring(handed.error()));
  for (const RestoredSetting& row : result.settings) {
    if (row.outcome != RestoreOutcome::failed) continue;
    return failed(kindOf(row.errorNumber, ChangeErrorKind::writeFailed), row.key, row.errorNumber);
  }
  if (const auto journalled = opened.journal.write(result.record); !journalled) {
    return tl::unexpected(afterRestoring(journalled.error()));
  }
  record = result.record;
  return result;
}

Expected<void, ChangeError> SysctlChanger::confirm(Opened& opened, ChangeRecord& record) {
  std::vector<ChangeRecord> after = opened.records;
  ChangeRecord& confirmed = *find(after, record.id);
  confirmed.state = ChangeState::confirmed;
  if (record.persist) {
    if (auto persists = checkPersisting(opened.records); !persists) return persists;
  }
  // The journal first: a boot must not set what was never confirmed. After a kill here the next call writes the file.
  if (auto journalled = opened.journal.write(confirmed); !journalled) return journalled;
  if (record.persist) {
    if (auto persisted = persist(opened.records, after); !persisted) {
      static_cast<void>(opened.journal.write(record));
      return persisted;
    }
  }
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
  auto opened = openWith(id);
  if (!opened) return tl::unexpected(opened.error());
  return choose(*opened, *find(opened->records, id), version);
}

Expected<void, ChangeError> SysctlChanger::choose(const Opened& opened, ChangeRecord& record,
                                                  SettingVersion version) const {
  const std::uint32_t id = record.id;
  if (record.state == ChangeState::preparing) return failed(id, ChangeErrorKind::unfinishedChange);
  if (!isOpen(record)) return failed(id, ChangeErrorKind::wrongState);
  if (record.bootId != m_tree.bootId() || record.networkNamespace != m_tree.networkNamespace()) {
    return failed(id, ChangeErrorKind::otherNamespace);
  }
  for (const ChangedSetting& setting : record.settings) {
    const auto now = m_tree.read(setting.key);
    const bool isOwn = coveringChange(opened.records, record, setting.key) == nullptr;
    if (!isOwn || (now != setting.original && now != setting.wanted)) {
      return failed(ChangeErrorKind::changedMeanwhile, setting.key);
    }
  }
  // The journal has the originals before they are set, and until they are not any more: a kill is made up for.
  const auto journal = [&](SettingVersion inForce) -> Expected<void, ChangeError> {
    if (record.inForce == inForce) return {};
    record.inForce = inForce;
    return opened.journal.write(record);
  };
  if (version == SettingVersion::original) {
    if (auto journalled = journal(version); !journalled) return journalled;
  }
  for (const ChangedSetting& setting : record.settings) {
    const std::string& value = version == SettingVersion::original ? setting.original : setting.wanted;
    if (m_tree.read(setting.key) == value) continue;
    if (const auto written = m_tree.write(setting.key, value); !written) {
      return failed(kindOf(written.error(), ChangeErrorKind::writeFailed), setting.key, written.error());
    }
  }
  return journal(version);
}

void SysctlChanger::expire(std::uint32_t id) {
  // Opening reverts overdue trials; a change that a killed program left partly written is reverted as well.
  auto opened = openWith(id);
  if (!opened) return;
  ChangeRecord* const record = find(opened->records, id);
  if (record->state == ChangeState::preparing) static_cast<void>(revert(*opened, *record));
}

Expected<std::vector<ChangeRecord>, ChangeError> SysctlChanger::list() const {
  auto records = ChangeJournal::openExisting(m_folders.journal).and_then([](const ChangeJournal& journal) {
    return journal.records();
  });
  if (!records && records.error().kind == ChangeErrorKind::noSuchChange) return std::vector<ChangeRecord>();
  if (!records) return records;
  const std::set<std::uint32_t> gone = goneChanges(*records);
  for (ChangeRecord& record : *records) {
    if (gone.count(record.id) != 0) record.state = ChangeState::gone;
  }
  return records;
}

Expected<void, ChangeError> SysctlChanger::checkPersisting(const std::vector<ChangeRecord>& records) const {
  const std::string name(kOwnSysctlFile);
  const std::filesystem::path path = m_folders.root / "etc/sysctl.d";
  const auto folder = StateDirectory::openShared(path);
  if (!folder) return failed(kindOf(folder.error(), ChangeErrorKind::persistFailed), path, folder.error());
  if (const auto writable = folder->checkWritable(); !writable) {
    return failed(kindOf(writable.error(), ChangeErrorKind::persistFailed), path, writable.error());
  }
  const auto file = folder->read(name, kMostPersistedBytes);
  if (!file) return failed(ChangeErrorKind::persistedFileChanged, name, file.error());
  if (!explainsPersisted(records, file->value_or(std::string())))
    return failed(ChangeErrorKind::persistedFileChanged, name);
  return {};
}

Expected<void, ChangeError> SysctlChanger::persist(const std::vector<ChangeRecord>& present,
                                                   const std::vector<ChangeRecord>& after) const {
  const std::string name(kOwnSysctlFile);
  const std::filesystem::path path = m_folders.root / "etc/sysctl.d";
  const auto folder = StateDirectory::openShared(path);
  if (!folder) return failed(kindOf(folder.error(), ChangeErrorKind::persistFailed), path, folder.error());
  const auto file = folder->read(name, kMostPersistedBytes);
  if (!file) return failed(ChangeErrorKind::persistedFileChanged, name, file.error());
  const std::string text = persistedSettings(after);
  if (text == file->value_or(std::string())) return {};
  if (!explainsPersisted(present, file->value_or(std::string()))) {
    return failed(ChangeErrorKind::persistedFileChanged, name);
  }
  const auto written =
      text.empty() ? folder->remove(name) : folder->replace(name, text, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (!written) return failed(kindOf(written.error(), ChangeErrorKind::persistFailed), name, written.error());
  return {};
}

}  // namespace tcpscope
