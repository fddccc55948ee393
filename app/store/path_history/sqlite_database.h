// SQLite's C interface with owners and errors: a database that is open while the object lives, and statements.
//
// For one thread at a time. Every failure is SQLite's extended result code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/expected.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tcpscope {

/// SQLite's extended result code.
struct SqliteError {
  int code = 0;
};

class SqliteStatement {
public:
  explicit SqliteStatement(sqlite3_stmt* statement) : m_statement(statement) {}

  // Parameters count from 1, columns from 0.
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view value);
  void bindNull(int parameter);
  /// True while there is a row.
  [[nodiscard]] Expected<bool, SqliteError> step();
  /// To run it again with other values.
  void reset();

  [[nodiscard]] bool isNull(int column) const;
  /// Nothing where the column holds something else: SQLite does not keep to a column's type.
  [[nodiscard]] std::optional<std::int64_t> integer(int column) const;
  [[nodiscard]] std::optional<double> real(int column) const;
  [[nodiscard]] std::optional<std::string> text(int column) const;

private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
};

class SqliteDatabase {
public:
  /// The file must be there. Links are not followed; a busy database is waited for no longer than a second.
  static Expected<SqliteDatabase, SqliteError> open(const std::filesystem::path& file);

  [[nodiscard]] Expected<void, SqliteError> run(const std::string& sql) const;
  [[nodiscard]] Expected<SqliteStatement, SqliteError> prepare(std::string_view sql) const;
  /// The first column of the first row, which has to be a number.
  [[nodiscard]] Expected<std::int64_t, SqliteError> number(std::string_view sql) const;
  /// Rows that the last statement changed.
  [[nodiscard]] std::int64_t changes() const;
  /// The errno behind the last failure; 0 where there is none.
  [[nodiscard]] int systemError() const;

private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  explicit SqliteDatabase(sqlite3* database) : m_database(database) {}

  std::unique_ptr<sqlite3, Closer> m_database;
};

}  // namespace tcpscope
