// One path as a row of the history's table, and back. Rows that are read back are untrusted: a row that makes no sense
// is none.
#pragma once

#include <string>

#include "app/store/path_history/sqlite_database.h"
#include "core/advice/path_entry.h"

namespace tcpscope {

/// The table's definition.
std::string pathTable();
/// The columns in the order that both functions below keep.
std::string pathColumns();
/// Replaces the row of the entry's path; takes the parameters of bindPath().
std::string pathReplacement();

void bindPath(SqliteStatement& statement, const PathEntry& entry);
/// Of a row that begins with pathColumns(); nothing where it makes no sense.
std::optional<PathEntry> readPath(const SqliteStatement& row);

/// The limit of this name (core/limits/limit.h); nothing where there is none.
std::optional<Limit> limitOfName(std::string_view name);

}  // namespace tcpscope
