#include "app/cli/text_output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

namespace tcpscope {

namespace {

constexpr std::size_t kBetweenColumns = 2;

/// Of the first characters, as many as have room.
std::size_t bytesOf(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t shown = 0; end < text.size(); ++end) {
    if ((static_cast<unsigned char>(text[end]) & 0xc0U) != 0x80U && shown++ == width) break;
  }
  return end;
}

/// With its end, where an address has its port.
std::string shortened(std::string_view text, std::size_t width) {
  constexpr std::size_t kTail = 6;
  const std::size_t tail = std::min(kTail, width / 2);
  if (width <= 1) return width == 0 ? std::string() : std::string("…");
  const std::size_t rest = bytesOf(text, displayWidth(text) - tail);
  return std::string(text.substr(0, bytesOf(text, width - 1 - tail))) + "…" + std::string(text.substr(rest));
}

/// The first words that have room, at least one character; `rest` begins with the word behind them.
std::string_view takeLine(std::string_view& rest, std::size_t width) {
  const std::string_view whole = rest.substr(0, std::max<std::size_t>(bytesOf(rest, width), 1));
  const bool isBlankBehind = whole.size() < rest.size() && rest[whole.size()] == ' ';
  const std::size_t blank = whole.size() == rest.size() || isBlankBehind ? whole.size() : whole.rfind(' ');
  const std::string_view line = blank == std::string_view::npos || blank == 0 ? whole : whole.substr(0, blank);
  rest.remove_prefix(line.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return line;
}

}  // namespace

void append(TextBuffer& text, std::string_view part) {
  text.append(part.data(), part.data() + part.size());
}

void appendEndpoint(TextBuffer& text, const Endpoint& endpoint) {
  if (endpoint.address.family() == AddressFamily::ipv6) return append(text, endpoint.toString());
  const auto& bytes = endpoint.address.bytes();
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) text.push_back('.');
    appendNumber(text, bytes[i]);
  }
  text.push_back(':');
  appendNumber(text, endpoint.port);
}

void appendBytes(TextBuffer& text, std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 5> kUnits = {" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  std::uint64_t tenths = bytes * 10;
  while (tenths >= 10'240 && unit + 1 < kUnits.size()) {
    tenths = tenths / 1024;
    ++unit;
  }
  appendNumber(text, tenths / 10);
  if (unit > 0) {
    text.push_back('.');
    text.push_back(static_cast<char>('0' + tenths % 10));
  }
  append(text, kUnits[unit]);
}

void appendMilliseconds(TextBuffer& text, std::uint64_t microseconds) {
  appendNumber(text, microseconds / 1000);
  const std::uint64_t rest = microseconds % 1000;
  const std::array<char, 7> tail = {'.',
                                    static_cast<char>('0' + rest / 100),
                                    static_cast<char>('0' + rest / 10 % 10),
                                    static_cast<char>('0' + rest % 10),
                                    ' ',
                                    'm',
                                    's'};
  text.append(tail.data(), tail.data() + tail.size());
}

ExitCode writeOut(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return fail(SystemError{SystemAttempt::writeOutput, errno, {}});
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ExitCode::done;
}

bool OutputParts::append(std::string_view text) {
  tcpscope::append(m_text, text);
  if (m_text.size() >= kBytesWrittenAtOnce) write();
  return m_code == ExitCode::done;
}

ExitCode OutputParts::finish() {
  write();
  return m_code;
}

void OutputParts::write() {
  if (m_code == ExitCode::done) m_code = writeOut({m_text.data(), m_text.size()});
  m_text.clear();
}

std::size_t terminalWidth() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return SIZE_MAX;
  return size.ws_col;
}

std::size_t displayWidth(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

TextTable::TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {
  for (const Column& column : m_columns) m_widths.push_back(displayWidth(column.title));
}

void TextTable::reserveRows(std::size_t rows) {
  constexpr std::size_t kUsualCellBytes = 10;
  const std::size_t cells = rows * m_columns.size();
  m_cells.reserve(cells * kUsualCellBytes);
  m_ends.reserve(cells);
  m_cellWidths.reserve(cells);
}

void TextTable::endCell() {
  const std::size_t column = m_ends.size() % m_columns.size();
  const std::size_t begin = m_ends.empty() ? 0 : m_ends.back();
  const std::size_t width = displayWidth({m_cells.data() + begin, m_cells.size() - begin});
  m_widths[column] = std::max(m_widths[column], width);
  m_ends.push_back(static_cast<std::uint32_t>(m_cells.size()));
  m_cellWidths.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(width, UINT16_MAX)));
}

std::string_view TextTable::cellText(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : m_ends[index - 1];
  return {m_cells.data() + begin, m_ends[index] - begin};
}

std::vector<std::size_t> TextTable::widthsWithin(std::size_t maxWidth) const {
  std::vector<std::size_t> widths = m_widths;
  if (maxWidth == SIZE_MAX) return widths;
  const auto line = [&widths](const auto& widthOf) {
    std::size_t sum = 0;
    for (std::size_t column = 0; column < widths.size(); ++column) {
      if (widths[column] > 0) sum += widthOf(column) + (sum > 0 ? kBetweenColumns : 0);
    }
    return sum;
  };
  const auto leastOf = [&](std::size_t column) {
    const std::size_t least = m_columns[column].least;
    return least == 0 ? widths[column] : std::min(least, widths[column]);
  };
  while (line(leastOf) > maxWidth) {
    std::size_t next = widths.size();
    for (std::size_t column = 0; column < widths.size(); ++column) {
      const bool mayGo = m_columns[column].goes > 0 && widths[column] > 0;
      if (mayGo && (next == widths.size() || m_columns[column].goes < m_columns[next].goes)) next = column;
    }
    if (next == widths.size()) break;
    widths[next] = 0;
  }
  // The widest first, so that all that is shortened ends as wide.
  for (std::size_t all = line([&](std::size_t column) { return widths[column]; }); all > maxWidth; --all) {
    std::size_t widest = widths.size();
    for (std::size_t column = 0; column < widths.size(); ++column) {
      const bool isLonger = widest == widths.size() || widths[column] > widths[widest];
      if (widths[column] > leastOf(column) && isLonger) widest = column;
    }
    if (widest == widths.size()) break;
    --widths[widest];
  }
  return widths;
}

void TextTable::print(TextBuffer& out, std::size_t maxWidth) const {
  std::size_t line = 0;
  for (const std::size_t width : m_widths) line += width + kBetweenColumns;
  out.reserve(out.size() + (rows() + 1) * (line + 1));
  const std::vector<std::size_t> widths = widthsWithin(maxWidth);
  for (std::size_t row = 0; row <= rows(); ++row) printRow(out, row, widths, maxWidth);
}

ExitCode TextTable::write(TextBuffer& out, std::size_t maxWidth) const {
  const std::vector<std::size_t> widths = widthsWithin(maxWidth);
  for (std::size_t row = 0; row <= rows(); ++row) {
    printRow(out, row, widths, maxWidth);
    if (out.size() < kBytesWrittenAtOnce && row < rows()) continue;
    if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
    out.clear();
  }
  return ExitCode::done;
}

/// Row 0 is the line of titles.
void TextTable::printRow(TextBuffer& out, std::size_t row, const std::vector<std::size_t>& widths,
                         std::size_t maxWidth) const {
  std::vector<std::string_view> left = printLine(out, widths, maxWidth, [&](std::size_t column) {
    if (row == 0) return Cell{m_columns[column].title, displayWidth(m_columns[column].title)};
    const std::size_t index = (row - 1) * m_columns.size() + column;
    return Cell{cellText(index), m_cellWidths[index]};
  });
  while (!left.empty()) {
    left = printLine(out, widths, maxWidth, [&left](std::size_t column) {
      return Cell{left[column], displayWidth(left[column])};
    });
  }
}

template <class CellOf>
std::vector<std::string_view> TextTable::printLine(TextBuffer& out, const std::vector<std::size_t>& widths,
                                                   std::size_t maxWidth, CellOf&& cellOf) const {
  std::vector<std::string_view> left;
  const std::size_t begin = out.size();
  std::size_t blanks = 0;
  bool isFirst = true;
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    if (widths[column] == 0) continue;
    Cell cell = cellOf(column);
    if (cell.width > widths[column] && m_columns[column].wraps) {
      left.resize(m_columns.size());
      left[column] = cell.text;
      cell.text = takeLine(left[column], widths[column]);
      cell.width = displayWidth(cell.text);
    }
    const std::size_t padding = widths[column] - std::min(cell.width, widths[column]);
    if (!std::exchange(isFirst, false)) blanks += kBetweenColumns;
    if (m_columns[column].right) blanks += padding;
    if (!cell.text.empty()) {
      // Blanks wait until something follows them: no line ends with blanks.
      out.resize(out.size() + blanks);
      std::fill(out.end() - static_cast<std::ptrdiff_t>(blanks), out.end(), ' ');
      blanks = 0;
      if (cell.width <= widths[column]) {
        append(out, cell.text);
      } else {
        append(out, shortened(cell.text, widths[column]));
      }
    }
    if (!m_columns[column].right) blanks += padding;
  }
  const std::string_view line(out.data() + begin, out.size() - begin);
  if (line.size() > maxWidth && displayWidth(line) > maxWidth) out.resize(begin + bytesOf(line, maxWidth));
  out.push_back('\n');
  return left;
}

}  // namespace tcpscope
