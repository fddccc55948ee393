#include "app/changes/journal/option_journal.h"

#include <sys/stat.h>

#include <cerrno>

#include "core/host/place.h"

namespace tcpscope {

namespace {

Unexpected<TuneError> failed(TuneErrorKind kind, const std::filesystem::path& path, int number) {
  return Unexpected<TuneError>(TuneError{kind, std::nullopt, number, UntrustedText(path.string())});
}

Expected<std::optional<TuneRecord>, TuneError> readRecord(const StateDirectory& folder,
                                                          const std::filesystem::path& path, const TuneKey& key) {
  const auto text = folder.read(key.fileName(), kLongestTuneRecord);
  if (!text) return failed(TuneErrorKind::recordUnreadable, path / key.fileName(), text.error());
  if (!*text) return std::optional<TuneRecord>();
  auto record = parseTuneRecord(**text);
  if (!record || record->key != key) return failed(TuneErrorKind::recordUnreadable, path / key.fileName(), 0);
  return record;
}

}  // namespace

Expected<OptionJournal, TuneError> OptionJournal::open(const std::filesystem::path& folder, const TuneKey& key) {
  auto opened = StateDirectory::openPrivate(folder);
  if (!opened) return failed(TuneErrorKind::recordNotWritten, folder, opened.error());
  auto lock = opened->lock();
  if (!lock) return failed(TuneErrorKind::recordNotWritten, folder, lock.error());
  OptionJournal store(std::move(*opened), std::move(*lock), folder, key);
  store.removeEarlierBoots();
  return store;
}

Expected<std::optional<TuneRecord>, TuneError> OptionJournal::peek(const std::filesystem::path& folder,
                                                                   const TuneKey& key) {
  const auto opened = StateDirectory::openShared(folder);
  if (opened) return readRecord(*opened, folder, key);
  if (opened.error() == ENOENT) return std::optional<TuneRecord>();
  return failed(TuneErrorKind::recordUnreadable, folder, opened.error());
}

std::vector<TuneRecord> OptionJournal::overdue(const std::filesystem::path& folder, std::string_view bootId,
                                               Nanoseconds bootTime) {
  std::vector<TuneRecord> found;
  const auto opened = StateDirectory::openShared(folder);
  const auto names = opened ? opened->names() : Expected<std::vector<std::string>, int>();
  if (!names) return found;
  for (const std::string& name : *names) {
    const auto text = opened->read(name, kLongestTuneRecord);
    const auto record = text && *text ? parseTuneRecord(**text) : std::nullopt;
    // A damaged one is reported by the calls that name its connection.
    if (!record || record->key.fileName() != name || record->key.bootId != bootId) continue;
    if (isOverdue(*record, bootTime)) found.push_back(*record);
  }
  return found;
}

Expected<std::optional<TuneRecord>, TuneError> OptionJournal::load() const {
  return readRecord(m_folder, m_path, m_key);
}

Expected<void, TuneError> OptionJournal::store(const TuneRecord& record) const {
  const std::string name = m_key.fileName();
  const auto stored = record.options.empty() ? m_folder.remove(name)
                                             : m_folder.replace(name, writeTuneRecord(record), S_IRUSR | S_IWUSR);
  if (!stored) return failed(TuneErrorKind::recordNotWritten, m_path / name, stored.error());
  return {};
}

void OptionJournal::removeEarlierBoots() const {
  const auto names = m_folder.names();
  if (!names) return;
  for (const std::string& name : *names) {
    const std::string boot = name.substr(0, name.find('_'));
    // A file that cannot be removed does no harm.
    if (isBootId(boot) && boot != m_key.bootId) static_cast<void>(m_folder.remove(name));
  }
}

}  // namespace tcpscope
