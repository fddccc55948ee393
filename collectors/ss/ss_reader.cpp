#include "collectors/ss/ss_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/sock_diag/sock_diag_settings.h"
#include "collectors/ss/ss_number.h"
#include "collectors/trace/wire_bytes.h"

namespace tcpscope {

namespace {

constexpr std::string_view kCall = "tcpscope-ss 1";
/// A login may say something first, but not without end.
constexpr std::size_t kMaxUngreetedBytes = 64U << 10U;
constexpr std::size_t kMaxNameBytes = 256;
constexpr std::size_t kMaxSockets = 100'000;

/// The rest of the line where it begins with `word` and a space.
std::optional<std::string_view> behind(std::string_view word, std::string_view line) {
  if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') return std::nullopt;
  return line.substr(word.size() + 1).substr(0, kMaxNameBytes);
}

std::pair<std::string_view, std::string_view> twoWords(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return {text, {}};
  return {text.substr(0, space), text.substr(space + 1)};
}

/// "5021.37" seconds: hundredths, as /proc/uptime has them.
std::optional<std::int64_t> uptimeNanoseconds(std::string_view text) {
  constexpr std::int64_t kHundredth = 10'000'000;
  constexpr std::uint64_t kLongest = kMaxWireNanoseconds / 1'000'000'000;
  const std::size_t point = text.find('.');
  const auto seconds = wholeNumber(text.substr(0, point));
  const auto hundredths =
      point == std::string_view::npos ? std::nullopt : wholeNumber(text.substr(std::min(point + 1, text.size())));
  if (!seconds || !hundredths || *seconds >= kLongest || *hundredths > 99) return std::nullopt;
  return static_cast<std::int64_t>(*seconds * 100 + *hundredths) * kHundredth;
}

/// Of any length, unlike isBootId().
bool hasBootIdCharacters(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

/// "net:[4026531840]" as "4026531840".
std::string inodeIn(std::string_view link) {
  const std::size_t open = link.find('[');
  const std::size_t close = link.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const std::string_view inode = link.substr(open + 1, close - open - 1);
  return wholeNumber(inode) ? std::string(inode) : std::string();
}

}  // namespace

SsReader::SsReader(PlaceId place)
    : m_place(place),
      m_table(place, kMaxSockets),
      m_batch(place, SockDiagSettings().socketsPerBatch, SockDiagSettings().mostClosedKept) {}

std::optional<TraceValue> SsReader::next() {
  if (m_values.empty()) return std::nullopt;
  TraceValue value = std::move(m_values.front());
  m_values.pop_front();
  return value;
}

void SsReader::feed(std::span<const std::byte> bytes, Moment heardAt) {
  m_heardAt = heardAt;
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!m_isGreeted) m_ungreetedBytes = std::min(m_ungreetedBytes + bytes.size(), kMaxUngreetedBytes + 1);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view piece = rest.substr(0, end);
    if (m_line.size() + piece.size() > kMaxSsSocketText) {
      m_line.clear();
      if (!std::exchange(m_skipsLine, true)) m_gaps.add(GapKind::malformedMessage);
    }
    if (!m_skipsLine) m_line.append(piece);
    if (end == std::string_view::npos) break;
    if (!std::exchange(m_skipsLine, false)) takeLine(m_line);
    m_line.clear();
    rest.remove_prefix(end + 1);
  }
  // A host that sends this much before a hello is something else: a value that is no hello reports that.
  if (!m_isGreeted && m_ungreetedBytes > kMaxUngreetedBytes) flush(std::nullopt);
}

void SsReader::takeLine(std::string_view line) {
  if (!m_isGreeted) return takeGreeting(line);
  if (const auto uptime = behind("look", line)) return beginPoll(*uptime);
  if (const auto outcome = behind("end", line)) return endPoll(*outcome);
  if (!m_lookAt) return m_gaps.add(GapKind::foreignMessage);
  takeSocketLine(line);
}

void SsReader::takeGreeting(std::string_view line) {
  if (line == kCall) m_isCalled = true;
  if (!m_isCalled) return;
  Place& place = m_hello.place;
  // The suffix appears wherever the place is named: what ss does not show must not be mistaken for absent.
  if (const auto host = behind("host", line)) place.host = UntrustedText(std::string(*host) + " (through ss)");
  if (const auto kernel = behind("kernel", line)) place.kernel = UntrustedText(std::string(*kernel));
  if (const auto boot = behind("boot", line); boot && hasBootIdCharacters(*boot)) place.bootId = std::string(*boot);
  if (const auto link = behind("netns", line)) place.networkNamespace = inodeIn(*link);
  if (const auto version = behind("ss", line)) m_ssVersion = std::string(*version);
  if (const auto clocks = behind("clock", line)) greet(*clocks);
}

void SsReader::greet(std::string_view clocks) {
  const auto [uptime, epoch] = twoWords(clocks);
  const auto monotonic = uptimeNanoseconds(uptime);
  const auto wall = wholeNumber(epoch);
  constexpr std::uint64_t kLongest = kMaxWireNanoseconds / 1'000'000'000;
  if (!monotonic || !wall || *wall >= kLongest) return;
  m_isGreeted = true;
  // By arrival: its wall clock has whole seconds only.
  m_offset = m_heardAt - Moment::fromNanoseconds(*monotonic);
  m_hello.place.id = m_place;
  m_hello.clock.monotonic = Moment::fromNanoseconds(*monotonic);
  m_hello.clock.wall = WallTime::fromNanoseconds(static_cast<std::int64_t>(*wall) * 1'000'000'000);
  m_hello.capabilities = static_cast<std::uint32_t>(AgentCapability::list);
  m_hello.program = UntrustedText("ss");
  m_dialect = SsDialect::of(m_hello.place.kernel.rawBytes(), m_ssVersion);
  m_values.emplace_back(m_hello);
}

std::optional<Moment> SsReader::momentOf(std::string_view uptime) {
  const auto since = uptimeNanoseconds(uptime);
  if (!since) return std::nullopt;
  const Moment there = Moment::fromNanoseconds(*since);
  m_offset = std::min(m_offset, m_heardAt - there);
  return there + m_offset;
}

void SsReader::beginPoll(std::string_view uptime) {
  m_socketText.clear();
  m_lookAt = momentOf(uptime);
  if (!m_lookAt) return m_gaps.add(GapKind::malformedMessage);
  m_table.beginDump();
}

void SsReader::takeSocketLine(std::string_view line) {
  const bool isContinued = line.starts_with('\t') || line.starts_with(' ');
  if (!isContinued) finishSocket();
  if (m_socketText.size() + line.size() > kMaxSsSocketText) return;
  m_socketText.append(line).push_back(' ');
}

void SsReader::finishSocket() {
  const std::string text = std::exchange(m_socketText, {});
  // The titles of the columns; ss cannot be asked to leave them out everywhere.
  if (text.empty() || text.starts_with("State ")) return;
  auto parsed = parseSsSocket(text, m_dialect);
  if (!parsed) return m_gaps.add(GapKind::malformedMessage);
  SocketObservation& socket = parsed->observation;
  socket.id.place = m_place;
  socket.takenAt = *m_lookAt;
  const SocketTable::Sighting sighting = m_table.see(socket.id.cookie, parsed->digest, socket.takenAt);
  if (sighting.repeated) return m_gaps.add(GapKind::repeatedSocket);
  if (sighting.refused) return m_gaps.add(GapKind::socketBudget);
  if (!sighting.changed) return m_batch.countUnchanged();
  socket.unchangedUntil = sighting.before;
  m_table.setAddress(sighting.slot, {socket.id, socket.local, socket.remote, 0});
  m_batch.add(sighting.slot) = socket;
  if (m_batch.isFull()) flush(std::nullopt);
}

void SsReader::endPoll(std::string_view outcome) {
  ++m_pollsEnded;
  if (!m_lookAt) return;
  finishSocket();
  const auto [status, uptime] = twoWords(outcome);
  const auto endedAt = momentOf(uptime);
  if (status == "0" && endedAt) {
    closeMissing();
  } else {
    m_gaps.add(GapKind::requestRefused);
  }
  flush(endedAt.value_or(*m_lookAt));
  m_lookAt.reset();
}

void SsReader::closeMissing() {
  std::unordered_set<std::uint64_t> missed;
  for (auto slot = m_table.nextMissing(0); slot != SocketTable::kNoSlot; slot = m_table.nextMissing(slot + 1)) {
    const std::uint64_t cookie = m_table.address(slot).id.cookie;
    if (!m_missed.contains(cookie)) {
      missed.insert(cookie);
      continue;
    }
    m_table.remove(cookie);
    m_batch.addClosed({{m_place, cookie}, *m_lookAt, std::nullopt});
    if (m_batch.isFull()) flush(std::nullopt);
  }
  m_missed = std::move(missed);
}

void SsReader::flush(std::optional<Moment> dumpEndedAt) {
  m_batch.flush(
      [this](ObservationBatch&& batch) {
        m_values.emplace_back(std::move(batch));
        return true;
      },
      m_gaps, m_table, dumpEndedAt);
}

}  // namespace tcpscope
