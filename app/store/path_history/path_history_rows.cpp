#include "app/store/path_history/path_history_rows.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

namespace {

struct PathColumn {
  std::string_view name;
  std::string_view type;
};

constexpr std::array kColumns = {
    PathColumn{"prefix", "TEXT PRIMARY KEY NOT NULL"},
    // Times are nanoseconds since 1970, UTC.
    PathColumn{"first_seen", "INTEGER NOT NULL"},
    PathColumn{"last_seen", "INTEGER NOT NULL"},
    PathColumn{"connections", "INTEGER NOT NULL"},
    PathColumn{"rtt_us", "INTEGER"},
    PathColumn{"rtt_time", "INTEGER"},
    PathColumn{"sending_bps", "REAL"},
    PathColumn{"sending_limit", "TEXT"},
    PathColumn{"sending_time", "INTEGER"},
    PathColumn{"receiving_bps", "REAL"},
    PathColumn{"receiving_limit", "TEXT"},
    PathColumn{"receiving_time", "INTEGER"},
    PathColumn{"segments", "INTEGER NOT NULL"},
    PathColumn{"retransmitted", "INTEGER NOT NULL"},
    PathColumn{"loss_events", "INTEGER NOT NULL"},
    // A bit each: SACK, timestamps, ECN; absent where they are not known.
    PathColumn{"options", "INTEGER"},
    PathColumn{"send_scale", "INTEGER"},
    PathColumn{"receive_scale", "INTEGER"},
    PathColumn{"segment_size", "INTEGER"},
};

std::string limitColumn(Limit limit) {
  return "limit_" + std::string(name(limit));
}

/// Column after column, in order.
class RowReader {
public:
  explicit RowReader(const SqliteStatement& row) : m_row(row) {}

  [[nodiscard]] bool isSound() const { return m_isSound; }
  std::string text() { return taken(m_row.text(m_column)); }
  std::uint64_t count() { return static_cast<std::uint64_t>(number(0, std::int64_t{1} << 62)); }
  WallTime time() { return WallTime::fromNanoseconds(number(0, std::int64_t{1} << 62)); }
  std::optional<std::uint64_t> optionalCount(std::int64_t least, std::int64_t most) {
    if (m_row.isNull(m_column)) return skip();
    return static_cast<std::uint64_t>(number(least, most));
  }
  std::optional<PathDelay> delay() {
    const auto smallest = optionalCount(1, 1'000'000'000);
    if (!smallest) return skip();
    return PathDelay{Microseconds(static_cast<std::int64_t>(*smallest)), time()};
  }
  std::optional<PathRate> rate() {
    if (m_row.isNull(m_column)) return m_column += 2, skip();
    // No link moves a petabit a second.
    constexpr double kFastest = 1e15;
    const double value = taken(m_row.real(m_column));
    if (!(value > 0.0 && value < kFastest)) m_isSound = false;
    const auto limit = limitOfName(text());
    if (!limit) m_isSound = false;
    return PathRate{BitsPerSecond(value), limit.value_or(Limit::unknown), time()};
  }
  std::optional<PathOptions> options() {
    const auto bits = optionalCount(0, 7);
    const auto sendScale = optionalCount(0, 14);
    const auto receiveScale = optionalCount(0, 14);
    const auto segmentSize = optionalCount(0, 1 << 20);
    if (!bits) return std::nullopt;
    PathOptions read{(*bits & 1U) != 0, (*bits & 2U) != 0, (*bits & 4U) != 0, sendScale, receiveScale, {}};
    if (segmentSize) read.segmentSize = Bytes(*segmentSize);
    return read;
  }

private:
  std::nullopt_t skip() { return ++m_column, std::nullopt; }
  std::int64_t number(std::int64_t least, std::int64_t most) {
    const std::int64_t value = taken(m_row.integer(m_column));
    if (value < least || value > most) m_isSound = false;
    return std::clamp(value, least, most);
  }
  template <class Value>
  Value taken(const std::optional<Value>& value) {
    ++m_column;
    if (!value) m_isSound = false;
    return value.value_or(Value());
  }

  const SqliteStatement& m_row;
  int m_column = 0;
  bool m_isSound = true;
};

/// Parameter after parameter, in order.
class RowWriter {
public:
  explicit RowWriter(SqliteStatement& statement) : m_statement(statement) {}

  void text(std::string_view value) { m_statement.bind(m_next++, value); }
  void number(std::int64_t value) { m_statement.bind(m_next++, value); }
  void count(std::uint64_t value) { number(static_cast<std::int64_t>(value)); }
  void optionalCount(const std::optional<std::uint64_t>& value) { value ? count(*value) : nothing(1); }
  void delay(const std::optional<PathDelay>& delay) {
    if (!delay) return nothing(2);
    number(delay->smallest.count());
    number(delay->at.nanoseconds());
  }
  void rate(const std::optional<PathRate>& rate) {
    if (!rate) return nothing(3);
    m_statement.bind(m_next++, rate->rate.value());
    text(name(rate->limit));
    number(rate->at.nanoseconds());
  }
  void options(const std::optional<PathOptions>& options) {
    if (!options) return nothing(4);
    number((options->sack ? 1 : 0) + (options->timestamps ? 2 : 0) + (options->ecn ? 4 : 0));
    optionalCount(options->sendWindowScale);
    optionalCount(options->receiveWindowScale);
    options->segmentSize ? count(options->segmentSize->value()) : nothing(1);
  }

private:
  void nothing(int columns) {
    for (; columns > 0; --columns) m_statement.bindNull(m_next++);
  }

  SqliteStatement& m_statement;
  int m_next = 1;
};

}  // namespace

std::string pathTable() {
  std::string table = "CREATE TABLE paths (";
  for (const PathColumn& column : kColumns) (table += column.name).append(" ").append(column.type).append(", ");
  for (const Limit limit : kLimits) table += limitColumn(limit) + " INTEGER NOT NULL, ";
  table.resize(table.size() - 2);
  return table + ") STRICT";
}

std::string pathColumns() {
  std::string columns;
  for (const PathColumn& column : kColumns) (columns += column.name) += ", ";
  for (const Limit limit : kLimits) columns += limitColumn(limit) + ", ";
  columns.resize(columns.size() - 2);
  return columns;
}

std::string pathReplacement() {
  std::string marks = "?";
  for (std::size_t column = 1; column < kColumns.size() + kLimitCount; ++column) marks += ", ?";
  return "INSERT OR REPLACE INTO paths (" + pathColumns() + ") VALUES (" + marks + ")";
}

void bindPath(SqliteStatement& statement, const PathEntry& entry) {
  RowWriter row(statement);
  row.text(entry.path.toString());
  row.number(entry.firstSeen.nanoseconds());
  row.number(entry.lastSeen.nanoseconds());
  row.count(entry.connections);
  row.delay(entry.rtt);
  row.rate(entry.sending);
  row.rate(entry.receiving);
  row.count(entry.segments);
  row.count(entry.retransmitted);
  row.count(entry.lossEvents);
  row.options(entry.options);
  for (const std::uint64_t connections : entry.limits) row.count(connections);
}

std::optional<PathEntry> readPath(const SqliteStatement& statement) {
  RowReader row(statement);
  const std::string prefix = row.text();
  const auto path = PathPrefix::parse(prefix);
  if (!path || path->toString() != prefix) return std::nullopt;
  PathEntry entry(*path);
  entry.firstSeen = row.time();
  entry.lastSeen = row.time();
  entry.connections = row.count();
  entry.rtt = row.delay();
  entry.sending = row.rate();
  entry.receiving = row.rate();
  entry.segments = row.count();
  entry.retransmitted = row.count();
  entry.lossEvents = row.count();
  entry.options = row.options();
  for (std::uint64_t& connections : entry.limits) connections = row.count();
  if (!row.isSound()) return std::nullopt;
  return entry;
}

std::optional<Limit> limitOfName(std::string_view name) {
  const auto found =
      std::find_if(kLimits.begin(), kLimits.end(), [&](Limit limit) { return tcpscope::name(limit) == name; });
  return found == kLimits.end() ? std::nullopt : std::optional(*found);
}

}  // namespace tcpscope
