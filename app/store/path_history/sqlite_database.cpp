#include "app/store/path_history/sqlite_database.h"

#include <sqlite3.h>

namespace tcpscope {

namespace {

constexpr int kTimeoutMilliseconds = 1000;

Unexpected<SqliteError> sqliteFailed(int code) {
  return Unexpected<SqliteError>(SqliteError{code});
}

}  // namespace

void SqliteStatement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

// A value that does not fit a parameter is this program's mistake, and shows as a missing row.
void SqliteStatement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(m_statement.get(), parameter, value);
}

void SqliteStatement::bind(int parameter, double value) {
  sqlite3_bind_double(m_statement.get(), parameter, value);
}

void SqliteStatement::bind(int parameter, std::string_view value) {
  // Null as the destructor is SQLITE_STATIC: the text outlives the step only where it is copied, as -1 asks for.
  sqlite3_bind_text64(
      m_statement.get(), parameter, value.data(), value.size(),
      reinterpret_cast<sqlite3_destructor_type>(-1),  // NOLINT(performance-no-int-to-ptr): as sqlite has it
      SQLITE_UTF8);
}

void SqliteStatement::bindNull(int parameter) {
  sqlite3_bind_null(m_statement.get(), parameter);
}

Expected<bool, SqliteError> SqliteStatement::step() {
  const int code = sqlite3_step(m_statement.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return sqliteFailed(code);
}

void SqliteStatement::reset() {
  sqlite3_reset(m_statement.get());
  sqlite3_clear_bindings(m_statement.get());
}

bool SqliteStatement::isNull(int column) const {
  return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

std::optional<std::int64_t> SqliteStatement::integer(int column) const {
  if (sqlite3_column_type(m_statement.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(m_statement.get(), column);
}

std::optional<double> SqliteStatement::real(int column) const {
  const int type = sqlite3_column_type(m_statement.get(), column);
  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_double(m_statement.get(), column);
}

std::optional<std::string> SqliteStatement::text(int column) const {
  if (sqlite3_column_type(m_statement.get(), column) != SQLITE_TEXT) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
  if (bytes == nullptr) return std::nullopt;
  return std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column)));
}

void SqliteDatabase::Closer::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

Expected<SqliteDatabase, SqliteError> SqliteDatabase::open(const std::filesystem::path& file) {
  sqlite3* opened = nullptr;
  // Also for who only reads: what a killed writer left half done is to be undone first.
  const int way = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(file.c_str(), &opened, way, nullptr);
  SqliteDatabase database(opened);
  if (code != SQLITE_OK) return sqliteFailed(code);
  sqlite3_busy_timeout(opened, kTimeoutMilliseconds);
  // The file is untrusted: nothing in it is executed, and each page is checked.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  if (auto careful = database.run("PRAGMA cell_size_check = ON"); !careful) return sqliteFailed(careful.error().code);
  return database;
}

Expected<void, SqliteError> SqliteDatabase::run(const std::string& sql) const {
  const int code = sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return sqliteFailed(code);
  return {};
}

Expected<SqliteStatement, SqliteError> SqliteDatabase::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(m_database.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return sqliteFailed(code);
  return SqliteStatement(statement);
}

Expected<std::int64_t, SqliteError> SqliteDatabase::number(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return Unexpected<SqliteError>(statement.error());
  const auto row = statement->step();
  if (!row) return Unexpected<SqliteError>(row.error());
  const auto value = *row ? statement->integer(0) : std::nullopt;
  if (!value) return sqliteFailed(SQLITE_CORRUPT);
  return *value;
}

int SqliteDatabase::systemError() const {
  return sqlite3_system_errno(m_database.get());
}

std::int64_t SqliteDatabase::changes() const {
  return sqlite3_changes64(m_database.get());
}

}  // namespace tcpscope
