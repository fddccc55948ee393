#include "core/wire/loss/drop_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tcpscope {

namespace {

constexpr std::string_view kTimeColumn = "time_s";
/// Of UTF-8, as spreadsheets write it.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view withoutByteOrderMark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

/// Quotes taken away, doubled ones made one.
std::vector<std::string> fieldsOf(std::string_view line) {
  std::vector<std::string> fields(1);
  bool isQuoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char letter = line[at];
    if (letter == '"' && isQuoted && at + 1 < line.size() && line[at + 1] == '"') {
      fields.back() += '"';
      ++at;
    } else if (letter == '"') {
      isQuoted = !isQuoted;
    } else if (letter == ',' && !isQuoted) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  return fields;
}

/// Seconds with nanoseconds; a double alone has too few digits for the time of today.
std::optional<Moment> momentOf(std::string_view word) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kMostSeconds = 9'000'000'000;
  constexpr std::size_t kDigits = 9;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seconds);
  if (error != std::errc() || seconds < 0 || seconds > kMostSeconds || word.front() == '-') return std::nullopt;
  std::string_view rest = word.substr(static_cast<std::size_t>(end - word.data()));
  if (rest.empty()) return Moment::fromNanoseconds(seconds * kSecond);
  if (rest.front() != '.' || rest.size() == 1) return std::nullopt;
  rest.remove_prefix(1);
  std::int64_t nanoseconds = 0;
  for (std::size_t digit = 0; digit < std::max(kDigits, rest.size()); ++digit) {
    const char letter = digit < rest.size() ? rest[digit] : '0';
    if (letter < '0' || letter > '9') return std::nullopt;
    if (digit < kDigits) nanoseconds = nanoseconds * 10 + (letter - '0');
  }
  return Moment::fromNanoseconds(seconds * kSecond + nanoseconds);
}

bool isDropEvent(std::string_view event) {
  return event == "drop" || event == "loss" || event.ends_with("_drop") || event.ends_with("_loss");
}

}  // namespace

bool beginsDropLog(std::string_view bytes) {
  const std::vector<std::string> fields = fieldsOf(withoutByteOrderMark(bytes.substr(0, bytes.find_first_of("\r\n"))));
  return std::find(fields.begin(), fields.end(), kTimeColumn) != fields.end();
}

void DropLogReader::take(std::string_view bytes) {
  while (!bytes.empty() && !m_error) {
    const std::size_t end = bytes.find('\n');
    m_partialLine += bytes.substr(0, std::min(end, kLongestDropLine + 1));
    if (m_partialLine.size() > kLongestDropLine) {
      ++m_line;
      return fail(DropLogError::Kind::longLine);
    }
    if (end == std::string_view::npos) return;
    takeLine(m_partialLine);
    m_partialLine.clear();
    bytes.remove_prefix(end + 1);
  }
}

Expected<DropLog, DropLogError> DropLogReader::finish() {
  if (!m_partialLine.empty() && !m_error) takeLine(m_partialLine);
  if (!m_timeColumn) fail(DropLogError::Kind::noTimeColumn);
  if (m_error) return Unexpected<DropLogError>(*m_error);
  for (DropsOfLink& link : m_log.links) std::stable_sort(link.drops.begin(), link.drops.end());
  return std::move(m_log);
}

void DropLogReader::takeLine(std::string_view line) {
  ++m_line;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return;
  if (m_line == 1) line = withoutByteOrderMark(line);
  const std::vector<std::string> fields = fieldsOf(line);
  m_timeColumn ? takeRow(fields) : takeHeader(fields);
}

void DropLogReader::takeHeader(const std::vector<std::string>& fields) {
  for (std::size_t column = 0; column < fields.size(); ++column) {
    if (fields[column] == kTimeColumn) m_timeColumn = column;
    if (fields[column] == "event") m_eventColumn = column;
    if (fields[column] == "link") m_linkColumn = column;
  }
  if (!m_timeColumn) fail(DropLogError::Kind::noTimeColumn);
}

void DropLogReader::takeRow(const std::vector<std::string>& fields) {
  const std::size_t last = std::max({*m_timeColumn, m_eventColumn.value_or(0), m_linkColumn.value_or(0)});
  if (fields.size() <= last) return fail(DropLogError::Kind::missingField);
  if (m_eventColumn && !isDropEvent(fields[*m_eventColumn])) {
    ++m_log.otherEvents;
    return;
  }
  const std::string& word = fields[*m_timeColumn];
  const std::optional<Moment> time = word.empty() ? std::nullopt : momentOf(word);
  if (!time) return fail(DropLogError::Kind::badTime);
  if (m_drops == kDropsAtMost) return fail(DropLogError::Kind::tooManyDrops);
  DropsOfLink* const link = linkNamed(m_linkColumn ? std::string_view(fields[*m_linkColumn]) : std::string_view());
  if (link == nullptr) return fail(DropLogError::Kind::tooManyLinks);
  ++m_drops;
  link->drops.push_back(*time);
  if (!m_eventColumn) return;
  const UntrustedText kind(fields[*m_eventColumn]);
  auto known = std::find_if(link->kinds.begin(), link->kinds.end(), [&](const auto& one) { return one.first == kind; });
  if (known == link->kinds.end()) {
    constexpr std::size_t kKindsAtMost = 32;
    if (link->kinds.size() == kKindsAtMost) return;
    known = link->kinds.insert(link->kinds.end(), {kind, 0});
  }
  ++known->second;
}

void DropLogReader::fail(DropLogError::Kind kind) {
  if (!m_error) m_error = DropLogError{kind, std::max<std::size_t>(m_line, 1)};
}

DropsOfLink* DropLogReader::linkNamed(std::string_view name) {
  for (DropsOfLink& link : m_log.links) {
    if (link.link.rawBytes() == name) return &link;
  }
  if (m_log.links.size() == kLinksOfDropsAtMost) return nullptr;
  m_log.links.push_back({UntrustedText(std::string(name)), {}, {}});
  return &m_log.links.back();
}

}  // namespace tcpscope
