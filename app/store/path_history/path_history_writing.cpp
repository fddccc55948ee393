#include "app/store/path_history/path_history_writing.h"

#include <sqlite3.h>

#include "app/store/path_history/path_history_rows.h"

namespace tcpscope {

namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 62;

Expected<void, SqliteError> done(SqliteStatement& statement) {
  const auto step = statement.step();
  if (!step) return Unexpected<SqliteError>(step.error());
  return {};
}

std::optional<CountedConnection> readCounted(const SqliteStatement& row) {
  CountedConnection counted{true, 0, 0, 0};
  const auto segments = row.integer(0);
  const auto retransmitted = row.integer(1);
  const auto limits = row.integer(2);
  const auto isCount = [](const auto& value) { return value && *value >= 0 && *value < kMostCount; };
  if (!isCount(segments) || !isCount(retransmitted) || !isCount(limits) || *limits > 0xff) return std::nullopt;
  counted.segments = static_cast<std::uint64_t>(*segments);
  counted.retransmitted = static_cast<std::uint64_t>(*retransmitted);
  counted.limits = static_cast<std::uint8_t>(*limits);
  return counted;
}

}  // namespace

std::string countedTable() {
  return "CREATE TABLE counted (connection TEXT PRIMARY KEY NOT NULL, prefix TEXT NOT NULL, seen INTEGER NOT NULL, "
         "segments INTEGER NOT NULL, retransmitted INTEGER NOT NULL, limits INTEGER NOT NULL) STRICT";
}

Expected<std::optional<PathEntry>, SqliteError> readEntry(const SqliteDatabase& database, const PathPrefix& path) {
  auto statement = database.prepare("SELECT " + pathColumns() + " FROM paths WHERE prefix = ?");
  if (!statement) return Unexpected<SqliteError>(statement.error());
  statement->bind(1, path.toString());
  const auto isThere = statement->step();
  if (!isThere) return Unexpected<SqliteError>(isThere.error());
  if (!*isThere) return std::optional<PathEntry>();
  auto entry = readPath(*statement);
  if (!entry) return Unexpected<SqliteError>(SqliteError{SQLITE_CORRUPT});
  return entry;
}

Expected<PathEntry*, SqliteError> PathHistoryWriting::entryOf(const PathPrefix& path) {
  const auto known = m_entries.find(path);
  if (known != m_entries.end()) return &known->second;
  auto read = readEntry(m_database, path);
  if (!read) return Unexpected<SqliteError>(read.error());
  return &m_entries.emplace(path, read->value_or(PathEntry(path))).first->second;
}

Expected<CountedConnection, SqliteError> PathHistoryWriting::counted(const std::string& connection) const {
  auto statement = m_database.prepare("SELECT segments, retransmitted, limits FROM counted WHERE connection = ?");
  if (!statement) return Unexpected<SqliteError>(statement.error());
  statement->bind(1, std::string_view(connection));
  const auto isThere = statement->step();
  if (!isThere) return Unexpected<SqliteError>(isThere.error());
  if (!*isThere) return CountedConnection();
  const auto counted = readCounted(*statement);
  if (!counted) return Unexpected<SqliteError>(SqliteError{SQLITE_CORRUPT});
  return *counted;
}

Expected<void, SqliteError> PathHistoryWriting::writeCounted(const std::string& connection,
                                                             const PathSighting& sighting,
                                                             const CountedConnection& counted) const {
  auto statement = m_database.prepare("INSERT OR REPLACE INTO counted VALUES (?, ?, ?, ?, ?, ?)");
  if (!statement) return Unexpected<SqliteError>(statement.error());
  statement->bind(1, std::string_view(connection));
  statement->bind(2, sighting.path.toString());
  statement->bind(3, sighting.at.nanoseconds());
  statement->bind(4, static_cast<std::int64_t>(counted.segments));
  statement->bind(5, static_cast<std::int64_t>(counted.retransmitted));
  statement->bind(6, std::int64_t{counted.limits});
  return done(*statement);
}

Expected<void, SqliteError> PathHistoryWriting::take(const PathSighting& sighting, const std::string& place) {
  const std::string connection = place + ConnectionId{{}, sighting.connection.cookie}.toString();
  auto before = counted(connection);
  if (!before) return Unexpected<SqliteError>(before.error());
  auto entry = entryOf(sighting.path);
  if (!entry) return Unexpected<SqliteError>(entry.error());
  takeIn(**entry, *before, sighting);
  return writeCounted(connection, sighting, *before);
}

Expected<void, SqliteError> PathHistoryWriting::take(const PathRates& rates) {
  auto entry = entryOf(rates.path);
  if (!entry) return Unexpected<SqliteError>(entry.error());
  takeIn(**entry, rates);
  return {};
}

Expected<void, SqliteError> PathHistoryWriting::writeEntries() {
  auto statement = m_database.prepare(pathReplacement());
  if (!statement) return Unexpected<SqliteError>(statement.error());
  for (const auto& [path, entry] : m_entries) {
    statement->reset();
    bindPath(*statement, entry);
    if (auto written = done(*statement); !written) return written;
  }
  return {};
}

}  // namespace tcpscope
