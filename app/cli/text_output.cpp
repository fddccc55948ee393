#include "app/cli/text_output.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tcpscope {

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

void TextTable::print(TextBuffer& out, std::size_t maxWidth) const {
  std::size_t line = 0;
  for (const std::size_t width : m_widths) line += width + 2;
  out.reserve(out.size() + (rows() + 1) * (line + 1));
  for (std::size_t row = 0; row <= rows(); ++row) printRow(out, row, maxWidth);
}

ExitCode TextTable::write(TextBuffer& out) const {
  for (std::size_t row = 0; row <= rows(); ++row) {
    printRow(out, row, SIZE_MAX);
    if (out.size() < kBytesWrittenAtOnce && row < rows()) continue;
    if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
    out.clear();
  }
  return ExitCode::done;
}

/// Row 0 is the line of titles.
void TextTable::printRow(TextBuffer& out, std::size_t row, std::size_t maxWidth) const {
  const std::size_t begin = out.size();
  std::size_t blanks = 0;
  for (std::size_t column = 0; column < m_columns.size(); ++column) {
    const std::size_t index = row == 0 ? 0 : (row - 1) * m_columns.size() + column;
    const std::string_view text = row == 0 ? m_columns[column].title : cellText(index);
    const std::size_t width = row == 0 ? displayWidth(text) : m_cellWidths[index];
    const std::size_t padding = m_widths[column] - width;
    if (column > 0) blanks += 2;
    if (m_columns[column].right) blanks += padding;
    if (!text.empty()) {
      // Blanks wait until something follows them: no line ends with blanks.
      out.resize(out.size() + blanks);
      std::fill(out.end() - static_cast<std::ptrdiff_t>(blanks), out.end(), ' ');
      blanks = 0;
      append(out, text);
    }
    if (!m_columns[column].right) blanks += padding;
  }
  const std::string_view line(out.data() + begin, out.size() - begin);
  if (line.size() > maxWidth && displayWidth(line) > maxWidth) {
    std::size_t end = 0;
    for (std::size_t shown = 0; end < line.size(); ++end) {
      if ((static_cast<unsigned char>(line[end]) & 0xc0U) != 0x80U && shown++ == maxWidth) break;
    }
    out.resize(begin + end);
  }
  out.push_back('\n');
}

}  // namespace tcpscope
