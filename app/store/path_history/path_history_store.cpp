#include "app/store/path_history/path_history_store.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "app/store/path_history/path_history_rows.h"
#include "app/store/path_history/path_history_writing.h"
#include "app/store/state_directory.h"
#include "app/store/state_folder.h"

namespace tcpscope {

namespace {

constexpr const char* kHistoryName = "book.sqlite";
/// "tcps", so that file(1) and this program know whose it is.
constexpr std::int64_t kApplicationId = 0x74637073;
constexpr std::int64_t kSchemaVersion = 1;

Unexpected<PathHistoryError> bookFailed(PathHistoryErrorKind kind, const std::filesystem::path& file, int number = 0) {
  return Unexpected<PathHistoryError>(PathHistoryError{kind, UntrustedText(file.string()), number});
}

PathHistoryErrorKind kindOf(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return PathHistoryErrorKind::busy;
    case SQLITE_FULL:
      return PathHistoryErrorKind::full;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return PathHistoryErrorKind::damaged;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return PathHistoryErrorKind::notOpened;
    default:
      return PathHistoryErrorKind::failed;
  }
}

/// SQLite would make the file as the umask says, for others to read.
Expected<void, int> makeFile(const std::filesystem::path& file) {
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (made < 0 && errno != EEXIST) return Unexpected<int>(errno);
  if (made >= 0) close(made);
  return {};
}

/// With the journal of a writer that was killed, which belongs to it.
Expected<std::filesystem::path, int> moveAside(const std::filesystem::path& file) {
  constexpr int kMostDamaged = 100;
  for (int number = 1; number <= kMostDamaged; ++number) {
    const std::filesystem::path aside = file.string() + ".damaged-" + std::to_string(number);
    if (std::filesystem::exists(std::filesystem::symlink_status(aside))) continue;
    if (rename(file.c_str(), aside.c_str()) != 0) return Unexpected<int>(errno);
    rename((file.string() + "-journal").c_str(), (aside.string() + "-journal").c_str());
    return aside;
  }
  return Unexpected<int>(EEXIST);
}

}  // namespace

std::optional<std::filesystem::path> PathHistoryStore::folder() {
  return stateFolder("paths");
}

Unexpected<PathHistoryError> PathHistoryStore::failed(SqliteError error) const {
  const PathHistoryErrorKind kind = kindOf(error.code);
  const int number = kind == PathHistoryErrorKind::notOpened ? m_database.systemError() : error.code;
  return bookFailed(kind, m_file, kind == PathHistoryErrorKind::notOpened && number == 0 ? EACCES : number);
}

Expected<PathHistoryStore, PathHistoryError> PathHistoryStore::openFile(const std::filesystem::path& file) {
  auto database = SqliteDatabase::open(file);
  if (!database) {
    const PathHistoryErrorKind kind = kindOf(database.error().code);
    return bookFailed(kind, file, kind == PathHistoryErrorKind::notOpened ? EACCES : database.error().code);
  }
  return PathHistoryStore(file, std::move(*database));
}

Expected<void, PathHistoryError> PathHistoryStore::checkKind() const {
  const auto application = m_database.number("PRAGMA application_id");
  if (!application) return failed(application.error());
  const auto version = m_database.number("PRAGMA user_version");
  if (!version) return failed(version.error());
  const auto objects = m_database.number("SELECT count(*) FROM sqlite_schema");
  if (!objects) return failed(objects.error());
  const bool isFresh = *application == 0 && *version == 0 && *objects == 0;
  if (isFresh) return {};
  if (*application != kApplicationId) return bookFailed(PathHistoryErrorKind::foreign, m_file);
  if (*version > kSchemaVersion) return bookFailed(PathHistoryErrorKind::later, m_file);
  if (*version < 1) return bookFailed(PathHistoryErrorKind::damaged, m_file);
  return {};
}

Expected<void, PathHistoryError> PathHistoryStore::checkContent() const {
  auto check = m_database.prepare("PRAGMA quick_check(1)");
  if (!check) return failed(check.error());
  const auto row = check->step();
  if (!row) return failed(row.error());
  if (!*row || check->text(0) != "ok") return bookFailed(PathHistoryErrorKind::damaged, m_file);
  if (const auto all = entries(); !all) return Unexpected<PathHistoryError>(all.error());
  return {};
}

Expected<void, PathHistoryError> PathHistoryStore::makeTables() {
  return inTransaction([&]() -> Expected<void, SqliteError> {
    const auto version = m_database.number("PRAGMA user_version");
    if (!version) return Unexpected<SqliteError>(version.error());
    if (*version != 0) return {};
    return m_database.run(pathTable() + ";" + countedTable() + ";PRAGMA application_id = " +
                          std::to_string(kApplicationId) + ";PRAGMA user_version = " + std::to_string(kSchemaVersion));
  });
}

Expected<PathHistoryStore, PathHistoryError> PathHistoryStore::openToWrite(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kHistoryName;
  const auto directory = StateDirectory::openPrivate(folder);
  if (!directory) return bookFailed(PathHistoryErrorKind::notOpened, file, directory.error());
  // Of two programs that find a damaged history, one puts it aside.
  const auto lock = directory->lock();
  if (!lock) return bookFailed(PathHistoryErrorKind::notOpened, file, lock.error());
  const auto open = [&]() -> Expected<PathHistoryStore, PathHistoryError> {
    if (const auto made = makeFile(file); !made) return bookFailed(PathHistoryErrorKind::notOpened, file, made.error());
    auto store = openFile(file);
    if (!store) return store;
    auto fit = store->checkKind();
    if (fit) fit = store->makeTables();
    if (fit) fit = store->checkContent();
    if (!fit) return Unexpected<PathHistoryError>(fit.error());
    return store;
  };
  auto store = open();
  if (store || store.error().kind != PathHistoryErrorKind::damaged) return store;
  const auto aside = moveAside(file);
  if (!aside) return bookFailed(PathHistoryErrorKind::notOpened, file, aside.error());
  store = open();
  if (store) store->m_putAside = *aside;
  return store;
}

Expected<std::optional<PathHistoryStore>, PathHistoryError> PathHistoryStore::openToRead(
    const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kHistoryName;
  struct stat status {};
  // Another program is about to write an empty file.
  if ((lstat(file.c_str(), &status) != 0 && errno == ENOENT) || (S_ISREG(status.st_mode) && status.st_size == 0)) {
    return std::optional<PathHistoryStore>();
  }
  auto store = openFile(file);
  if (!store) return Unexpected<PathHistoryError>(store.error());
  if (const auto checked = store->checkKind(); !checked) return Unexpected<PathHistoryError>(checked.error());
  const auto version = store->m_database.number("PRAGMA user_version");
  if (!version) return store->failed(version.error());
  if (*version == 0) return std::optional<PathHistoryStore>();
  return std::optional<PathHistoryStore>(std::move(*store));
}

template <class Change>
Expected<void, PathHistoryError> PathHistoryStore::inTransaction(Change&& change) {
  // At once for writing: two that read first and then both want to write would have to give up.
  if (auto begun = m_database.run("BEGIN IMMEDIATE"); !begun) return failed(begun.error());
  auto outcome = change();
  if (outcome) outcome = m_database.run("COMMIT");
  if (outcome) return {};
  const auto error = failed(outcome.error());
  // Some failures have rolled back already.
  static_cast<void>(m_database.run("ROLLBACK"));
  return error;
}

Expected<void, PathHistoryError> PathHistoryStore::take(std::span<const PathSighting> sightings,
                                                        std::span<const PathRates> rates, const std::string& place) {
  return inTransaction([&] { return write(sightings, rates, place); });
}

Expected<void, SqliteError> PathHistoryStore::write(std::span<const PathSighting> sightings,
                                                    std::span<const PathRates> rates, const std::string& place) {
  PathHistoryWriting writing(m_database);
  for (const PathSighting& sighting : sightings) {
    if (auto taken = writing.take(sighting, place); !taken) return taken;
  }
  for (const PathRates& best : rates) {
    if (auto taken = writing.take(best); !taken) return taken;
  }
  if (auto written = writing.writeEntries(); !written) return written;
  return dropOldest();
}

Expected<void, SqliteError> PathHistoryStore::dropOldest() {
  const auto beyond = [](std::size_t most) { return "DESC LIMIT -1 OFFSET " + std::to_string(most) + ");"; };
  return m_database.run("DELETE FROM paths WHERE prefix IN (SELECT prefix FROM paths ORDER BY last_seen " +
                        beyond(kMostPaths) +
                        "DELETE FROM counted WHERE connection IN (SELECT connection FROM counted ORDER BY seen " +
                        beyond(kMostCounted) + "DELETE FROM counted WHERE prefix NOT IN (SELECT prefix FROM paths)");
}

Expected<std::vector<PathEntry>, PathHistoryError> PathHistoryStore::entries() const {
  std::vector<PathEntry> all;
  auto rows = m_database.prepare("SELECT " + pathColumns() + " FROM paths ORDER BY last_seen DESC, prefix");
  if (!rows) return failed(rows.error());
  while (true) {
    const auto row = rows->step();
    if (!row) return failed(row.error());
    if (!*row) return all;
    auto entry = readPath(*rows);
    if (!entry) return bookFailed(PathHistoryErrorKind::damaged, m_file);
    all.push_back(*entry);
  }
}

Expected<std::optional<PathEntry>, PathHistoryError> PathHistoryStore::find(const PathPrefix& path) const {
  auto entry = readEntry(m_database, path);
  if (!entry) return failed(entry.error());
  return *entry;
}

Expected<bool, PathHistoryError> PathHistoryStore::forget(const PathPrefix& path) {
  std::int64_t forgotten = 0;
  auto done = inTransaction([&]() -> Expected<void, SqliteError> {
    auto statement = m_database.prepare("DELETE FROM paths WHERE prefix = ?");
    if (!statement) return Unexpected<SqliteError>(statement.error());
    statement->bind(1, path.toString());
    if (const auto step = statement->step(); !step) return Unexpected<SqliteError>(step.error());
    forgotten = m_database.changes();
    return dropOldest();
  });
  if (!done) return Unexpected<PathHistoryError>(done.error());
  return forgotten > 0;
}

Expected<std::uint64_t, PathHistoryError> PathHistoryStore::forgetUnseenSince(WallTime time) {
  std::int64_t forgotten = 0;
  auto done = inTransaction([&]() -> Expected<void, SqliteError> {
    auto statement = m_database.prepare("DELETE FROM paths WHERE last_seen < ?");
    if (!statement) return Unexpected<SqliteError>(statement.error());
    statement->bind(1, time.nanoseconds());
    if (const auto step = statement->step(); !step) return Unexpected<SqliteError>(step.error());
    forgotten = m_database.changes();
    return dropOldest();
  });
  if (!done) return Unexpected<PathHistoryError>(done.error());
  return static_cast<std::uint64_t>(forgotten);
}

}  // namespace tcpscope
