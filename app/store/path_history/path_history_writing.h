// What one transaction adds to the history: entries and counted connections, each read before it is written, as another
// program may have written it meanwhile.
#pragma once

#include <map>
#include <span>

#include "app/store/path_history/sqlite_database.h"
#include "core/advice/path_entry.h"

namespace tcpscope {

/// The definition of the table of connections that are counted already.
std::string countedTable();

class PathHistoryWriting {
public:
  explicit PathHistoryWriting(const SqliteDatabase& database) : m_database(database) {}

  [[nodiscard]] Expected<void, SqliteError> take(const PathSighting& sighting, const std::string& place);
  [[nodiscard]] Expected<void, SqliteError> take(const PathRates& rates);
  [[nodiscard]] Expected<void, SqliteError> writeEntries();

private:
  [[nodiscard]] Expected<PathEntry*, SqliteError> entryOf(const PathPrefix& path);
  [[nodiscard]] Expected<CountedConnection, SqliteError> counted(const std::string& connection) const;
  [[nodiscard]] Expected<void, SqliteError> writeCounted(const std::string& connection, const PathSighting& sighting,
                                                         const CountedConnection& counted) const;

  const SqliteDatabase& m_database;
  std::map<PathPrefix, PathEntry> m_entries;
};

/// Of one path; nothing where the history does not have it.
Expected<std::optional<PathEntry>, SqliteError> readEntry(const SqliteDatabase& database, const PathPrefix& path);

}  // namespace tcpscope
