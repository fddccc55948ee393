// Text is gathered in one buffer and written at once; tables are as wide as their widest cell.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/cli/exit_code.h"
#include "core/model/endpoint.h"

namespace tcpscope {

using TextBuffer = fmt::memory_buffer;

void append(TextBuffer& text, std::string_view part);
/// Of a whole number.
template <class Number>
void appendNumber(TextBuffer& text, Number number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.data() + digits.size());
}
void appendEndpoint(TextBuffer& text, const Endpoint& endpoint);
/// "64.0 KiB", without a float: for tables of many thousand rows.
void appendBytes(TextBuffer& text, std::uint64_t bytes);
/// "12.345 ms" down to a microsecond.
void appendMilliseconds(TextBuffer& text, std::uint64_t microseconds);

/// Everything to standard output.
ExitCode writeOut(std::string_view text);
/// Where output is long it is written in parts of this size: fresh memory for all of it costs more than the calls.
inline constexpr std::size_t kBytesWrittenAtOnce = 1U << 20;

/// Long output to standard output, in such parts.
class OutputParts {
public:
  /// False after a failure: nothing more is written.
  bool append(std::string_view text);
  /// Writes the rest. The first failure was already printed.
  ExitCode finish();

private:
  void write();

  TextBuffer m_text;
  ExitCode m_code = ExitCode::done;
};

/// Columns a terminal needs for UTF-8 text without wide characters.
std::size_t displayWidth(std::string_view text);

/// Columns of the terminal that standard output is; SIZE_MAX where it is none.
std::size_t terminalWidth();

struct Column {
  std::string_view title;
  bool right = false;
  /// Where a line is too long, cells are shortened in the middle to no less than this; 0: never.
  std::size_t least = 0;
  /// Where it is still too long, columns go in the order of these numbers; 0: never.
  unsigned goes = 0;
  /// Instead of shortened, cells go on in further lines, broken at blanks.
  bool wraps = false;
};

/// A column of words or several numbers.
constexpr Column prose(std::string_view title) {
  constexpr std::size_t kLeast = 10;
  return {.title = title, .least = kLeast, .wraps = true};
}

/// Cells are appended one after the other, row by row, each ended by endCell().
class TextTable {
public:
  explicit TextTable(std::vector<Column> columns);
  /// Room for so many rows, where their number is known before.
  void reserveRows(std::size_t rows);
  [[nodiscard]] TextBuffer& cell() { return m_cells; }
  void endCell();
  [[nodiscard]] std::size_t rows() const { return m_ends.size() / m_columns.size(); }
  /// Two blanks between columns; what is longer than `maxWidth` after shortening is cut.
  void print(TextBuffer& out, std::size_t maxWidth = SIZE_MAX) const;
  /// Prints to standard output behind what `out` holds already, in parts; `out` is empty afterwards.
  ExitCode write(TextBuffer& out, std::size_t maxWidth = SIZE_MAX) const;

private:
  struct Cell {
    std::string_view text;
    std::size_t width = 0;
  };

  /// Of each column; 0 for one that goes.
  [[nodiscard]] std::vector<std::size_t> widthsWithin(std::size_t maxWidth) const;
  void printRow(TextBuffer& out, std::size_t row, const std::vector<std::size_t>& widths, std::size_t maxWidth) const;
  /// `cellOf(column)` are the cells. Gives what of each goes on in the next line, nothing where none does.
  template <class CellOf>
  std::vector<std::string_view> printLine(TextBuffer& out, const std::vector<std::size_t>& widths, std::size_t maxWidth,
                                          CellOf&& cellOf) const;
  [[nodiscard]] std::string_view cellText(std::size_t index) const;

  std::vector<Column> m_columns;
  std::vector<std::size_t> m_widths;
  TextBuffer m_cells;
  std::vector<std::uint32_t> m_ends;
  std::vector<std::uint16_t> m_cellWidths;
};

}  // namespace tcpscope
