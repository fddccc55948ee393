#include "app/changes/journal/change_journal.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

#include "core/changes/change_record.h"

namespace tcpscope {

namespace {

constexpr std::string_view kSuffix = ".change";
constexpr const char* kComparisonLock = ".comparison";

std::string fileOf(std::uint32_t id) {
  return fmt::format("{:010}{}", id, kSuffix);
}

ChangeError journalError(int number, std::string object) {
  const bool isMissingRight = number == EACCES || number == EPERM || number == EROFS;
  const auto kind = isMissingRight ? ChangeErrorKind::missingRight : ChangeErrorKind::journalFailed;
  return {kind, number, UntrustedText(std::move(object))};
}

}  // namespace

Expected<ChangeJournal, ChangeError> ChangeJournal::open(const std::filesystem::path& path) {
  return locked(StateDirectory::openPrivate(path), path);
}

Expected<ChangeJournal, ChangeError> ChangeJournal::openExisting(const std::filesystem::path& path) {
  auto directory = StateDirectory::openShared(path);
  if (!directory && directory.error() == ENOENT) {
    return tl::unexpected(ChangeError{ChangeErrorKind::noSuchChange, ENOENT, UntrustedText(path)});
  }
  return locked(std::move(directory), path);
}

Expected<ChangeJournal, ChangeError> ChangeJournal::locked(Expected<StateDirectory, int> directory,
                                                           const std::filesystem::path& path) {
  if (!directory) return tl::unexpected(journalError(directory.error(), path));
  auto lock = directory->lock();
  if (!lock) return tl::unexpected(journalError(lock.error(), path));
  return ChangeJournal(std::move(*directory), std::move(*lock));
}

Expected<OwnedDescriptor, ChangeError> ChangeJournal::lockComparison(const std::filesystem::path& path, LockWait wait) {
  const auto directory = StateDirectory::openShared(path);
  if (!directory) return tl::unexpected(journalError(directory.error(), path));
  auto lock = directory->lock(kComparisonLock, wait);
  if (lock) return std::move(*lock);
  if (lock.error() != EWOULDBLOCK) return tl::unexpected(journalError(lock.error(), path));
  return tl::unexpected(ChangeError{ChangeErrorKind::comparisonRunning});
}

bool ChangeJournal::isComparisonRunning() const {
  return !m_directory.lock(kComparisonLock, LockWait::never);
}

Expected<std::vector<ChangeRecord>, ChangeError> ChangeJournal::records() const {
  const auto names = m_directory.names();
  if (!names) return tl::unexpected(journalError(names.error(), "journal"));
  std::vector<ChangeRecord> records;
  for (const std::string& name : *names) {
    if (name.size() <= kSuffix.size() || name.substr(name.size() - kSuffix.size()) != kSuffix) continue;
    const auto text = m_directory.read(name, kMostRecordBytes);
    auto record = text && *text ? readChangeRecord(**text) : std::nullopt;
    if (!record || fileOf(record->id) != name) {
      return tl::unexpected(ChangeError{ChangeErrorKind::journalDamaged, text ? 0 : text.error(), UntrustedText(name)});
    }
    records.push_back(std::move(*record));
  }
  return records;
}

Expected<void, ChangeError> ChangeJournal::write(const ChangeRecord& record) const {
  const std::string name = fileOf(record.id);
  const auto written = m_directory.replace(name, writeChangeRecord(record), S_IRUSR | S_IWUSR);
  if (!written) return tl::unexpected(journalError(written.error(), name));
  return {};
}

void ChangeJournal::prune(const std::vector<ChangeRecord>& records) const {
  constexpr std::size_t kKept = 100;
  std::size_t kept = 0;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (isOpen(*record) || ++kept <= kKept) continue;
    // A file that cannot be removed does no harm.
    static_cast<void>(m_directory.remove(fileOf(record->id)));
  }
}

}  // namespace tcpscope
