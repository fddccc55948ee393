#include "collectors/trace/trace_reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "collectors/sock_diag/diag_decoder.h"
#include "core/base/escape.h"
#include "core/base/utf8.h"

namespace tcpscope {

namespace {

constexpr std::size_t kSmallestClosed = 17;
constexpr std::size_t kSmallestOwner = 15;
constexpr std::size_t kLockBytes = 10;
constexpr std::size_t kProgramWaitsBytes = std::size_t{4} * 8;
constexpr std::size_t kProgramLoadBytes = std::size_t{3} * 8 + 2;
constexpr std::size_t kUserTimeoutBytes = 8 + 4;
/// Three empty texts or payloads, a moment, two endpoints of IPv4, a count.
constexpr std::size_t kSmallestEvent = 8 + 2 * 7 + 4;
constexpr std::size_t kSmallestGap = 2;
constexpr std::size_t kSmallestRetransmission = 8 + 2 * 7;
constexpr std::size_t kSmallestFact = 2;
/// More than twice the settings that are read.
constexpr std::size_t kMostFactsOfNamespace = 64;
constexpr std::size_t kMostFactsBytesOfNamespace = 4096;
constexpr std::uint64_t kLongestIntervalMs = 24ULL * 3600 * 1000;

UntrustedText untrusted(WireReader& reader) {
  return UntrustedText(reader.text());
}

/// What core holds as plain text, cut between two characters. A name of a boot or a namespace is never longer.
std::string plainText(WireReader& reader) {
  constexpr std::size_t kLongest = 255;
  std::string text = forPlainText(reader.text());
  text.resize(endOfCharacters(text, kLongest));
  return text;
}

/// An unknown kind at least shows that something happened.
HistoryEventKind eventKindCalled(std::string_view called) {
  for (std::size_t kind = 0; kind < kHistoryEventKinds; ++kind) {
    if (name(static_cast<HistoryEventKind>(kind)) == called) return static_cast<HistoryEventKind>(kind);
  }
  return HistoryEventKind::gap;
}

std::optional<UntrustedText> optionalText(WireReader& reader) {
  if (!reader.flag()) return std::nullopt;
  return untrusted(reader);
}

HostFacts readFacts(WireReader& reader) {
  HostFacts facts;
  const std::uint64_t count = reader.countOf(kSmallestFact);
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    HostFact fact;
    fact.key = untrusted(reader);
    fact.value = untrusted(reader);
    facts.push_back(std::move(fact));
  }
  return facts;
}

IntervalRequest readInterval(WireReader& reader) {
  IntervalRequest request;
  request.list = Milliseconds(static_cast<std::int64_t>(std::min(reader.count(), kLongestIntervalMs)));
  request.focus = Microseconds(static_cast<std::int64_t>(std::min(reader.count(), kLongestIntervalMs * 1000)));
  return request;
}

FilterRequest readFilter(WireReader& reader) {
  FilterRequest request;
  request.stateMask = reader.number<std::uint32_t>();
  request.text = reader.text();
  return request;
}

}  // namespace

std::optional<TraceValue> TraceReader::next() {
  while (const std::optional<FrameReader::Step> step = m_frames.next()) {
    if (!step->frame) {
      if (!m_damagedAt) m_damagedAt = step->damage.offset;
      m_takesRestated = true;
      m_needsRestated = true;
      return damage();
    }
    if (step->frame->version != kFrameVersion) continue;
    if (std::optional<TraceValue> value = decode(*step->frame)) return value;
  }
  return std::nullopt;
}

ObservationBatch TraceReader::emptyBatch() const {
  ObservationBatch batch;
  batch.place = m_context.place;
  return batch;
}

ObservationBatch TraceReader::damage() const {
  ObservationBatch batch = emptyBatch();
  batch.gaps.push_back({m_context.place, GapKind::damagedFrame, 1});
  return batch;
}

/// Nothing for a kind that is not known here. A payload that breaks off keeps what came before where it is a list; a
/// single value that is not whole is damage.
std::optional<TraceValue> TraceReader::decode(const FrameReader::Frame& frame) {
  WireReader reader(frame.payload);
  std::optional<TraceValue> value;
  switch (frame.kind) {
    case FrameKind::hello:
      value = readHello(reader);
      break;
    case FrameKind::hostFacts:
      value = readFacts(reader);
      break;
    case FrameKind::about:
      value = readAbout(reader);
      break;
    case FrameKind::restated:
      return decodeRestated(frame.payload);
    case FrameKind::sockets:
      m_takesRestated = m_needsRestated;
      return readSockets(reader);
    case FrameKind::owner:
      return readOwners(reader);
    case FrameKind::closed:
      m_takesRestated = m_needsRestated;
      return readClosed(reader);
    case FrameKind::retransmissions:
      return readRetransmissions(reader);
    case FrameKind::sourceEvents:
      return readEvents(reader);
    case FrameKind::gap:
      return readGaps(reader);
    case FrameKind::namespaceTurn:
      return readTurn(reader);
    case FrameKind::inNamespace:
      return readInNamespace(reader, frame);
    case FrameKind::event:
      value = readEvent(reader);
      break;
    case FrameKind::changeMark:
      value = readChange(reader);
      break;
    case FrameKind::interval:
      value = readInterval(reader);
      break;
    case FrameKind::filter:
      value = readFilter(reader);
      break;
    case FrameKind::focus:
      value = readFocus(reader);
      break;
    case FrameKind::stop:
      return StopRequest{};
    case FrameKind::packets:
    case FrameKind::capture:
      break;
  }
  if (value && reader.failed()) return damage();
  return value;
}

ObservationBatch TraceReader::readTurn(WireReader& reader) {
  const auto number = reader.number<std::uint32_t>();
  ObservationBatch batch;
  batch.turn = reader.flag() ? PlaceTurn::appeared : PlaceTurn::left;
  Place place = m_host;
  if (batch.turn == PlaceTurn::appeared) {
    place.networkNamespace = plainText(reader);
    place.container = plainText(reader);
  }
  const bool isNamespace = !reader.failed() && number < kMostNamespaces;
  if (!isNamespace || (batch.turn == PlaceTurn::left && m_namespaces.erase(number) == 0)) return damage();
  batch.place = placeOfNamespace(m_context.place, number);
  if (batch.turn == PlaceTurn::left) return batch;
  m_namespaces.insert(number);
  place.id = batch.place;
  batch.appeared = std::make_shared<const Place>(std::move(place));
  return batch;
}

/// Nothing for kinds that only a whole host has.
std::optional<TraceValue> TraceReader::readInNamespace(WireReader& reader, const FrameReader::Frame& frame) {
  const auto number = reader.number<std::uint32_t>();
  const auto kind = static_cast<FrameKind>(reader.number<std::uint8_t>());
  if (reader.failed() || !m_namespaces.contains(number)) return damage();
  constexpr std::array kKinds = {FrameKind::hostFacts, FrameKind::sockets, FrameKind::owner,
                                 FrameKind::closed,    FrameKind::gap,     FrameKind::changeMark};
  if (std::ranges::find(kKinds, kind) == kKinds.end()) return std::nullopt;
  // Thousands of namespaces may have some each.
  const bool isTooMuch = kind == FrameKind::hostFacts && reader.left() > kMostFactsBytesOfNamespace;
  if (isTooMuch) return damage();
  const PlaceId host = std::exchange(m_context.place, placeOfNamespace(m_context.place, number));
  const PlaceId place = m_context.place;
  std::optional<TraceValue> value = decode({frame.version, kind, reader.bytes(reader.left())});
  m_context.place = host;
  if (!value) return std::nullopt;
  if (auto* facts = std::get_if<HostFacts>(&*value); facts != nullptr && facts->size() > kMostFactsOfNamespace) {
    facts->resize(kMostFactsOfNamespace);
  }
  return observationsOf(std::move(*value), place);
}

/// Nothing for readers that already know the state.
std::optional<TraceValue> TraceReader::decodeRestated(std::span<const std::byte> payload) {
  if (!m_takesRestated || payload.empty()) return std::nullopt;
  m_needsRestated = false;
  WireReader reader(payload.subspan(1));
  const auto kind = static_cast<FrameKind>(payload.front());
  if (kind == FrameKind::sockets) return readSockets(reader);
  if (kind == FrameKind::owner) return readOwners(reader);
  if (kind == FrameKind::gap) return readGaps(reader);
  return std::nullopt;
}

void TraceReader::restart() {
  m_frames.restart();
  m_takesRestated = true;
  m_needsRestated = false;
}

TraceAbout TraceReader::readAbout(WireReader& reader) {
  TraceAbout about;
  about.recording = reader.number<std::uint64_t>();
  about.piece = reader.number<std::uint32_t>();
  about.note = untrusted(reader);
  return about;
}

Moment TraceReader::readMoment(WireReader& reader) const {
  return reader.moment<Moment>() + m_context.clockOffset;
}

TraceHello TraceReader::readHello(WireReader& reader) {
  constexpr bool kIsLittleEndian = std::endian::native == std::endian::little;
  TraceHello hello;
  const bool isLittleEndian = reader.flag();
  hello.capabilities = reader.number<std::uint32_t>();
  hello.clock.monotonic = readMoment(reader);
  hello.clock.wall = reader.moment<WallTime>();
  hello.place.id = m_context.place;
  hello.place.host = untrusted(reader);
  hello.place.bootId = plainText(reader);
  hello.place.networkNamespace = plainText(reader);
  hello.place.kernel = untrusted(reader);
  hello.program = untrusted(reader);
  if (!reader.failed()) {
    m_context.foreignByteOrder = isLittleEndian != kIsLittleEndian;
    m_context.accecnLayout = accecnLayoutOf(hello.place.kernel.rawBytes());
    m_host = hello.place;
  }
  return hello;
}

ObservationBatch TraceReader::readSockets(WireReader& reader) const {
  ObservationBatch batch = emptyBatch();
  batch.rate = reader.flag() ? SampleRate::focus : SampleRate::list;
  batch.unchanged = reader.count();
  if (reader.flag()) batch.dumpEndedAt = readMoment(reader);
  const std::uint64_t count = reader.countOf(kSmallestSocketRecord);
  bool isWhole = !reader.failed();
  if (!isWhole) batch.dumpEndedAt.reset();
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    std::optional<SocketObservation> socket = readSocketRecord(reader, m_context);
    if (socket) batch.changed.push_back(*socket);
    isWhole = isWhole && socket.has_value();
  }
  if (!isWhole) batch.gaps.push_back({m_context.place, GapKind::damagedFrame, 1});
  return batch;
}

ObservationBatch TraceReader::readClosed(WireReader& reader) const {
  ObservationBatch batch = emptyBatch();
  const std::uint64_t count = reader.countOf(kSmallestClosed);
  bool isWhole = !reader.failed();
  for (std::uint64_t i = 0; i < count; ++i) {
    ClosedSocket closed;
    closed.id = {m_context.place, reader.number<std::uint64_t>()};
    closed.closedAt = readMoment(reader);
    if (reader.flag()) {
      closed.last = readSocketRecord(reader, m_context);
      isWhole = isWhole && closed.last.has_value();
    }
    isWhole = isWhole && !reader.failed();
    if (reader.failed()) break;
    if (closed.last && closed.last->id != closed.id) closed.last.reset();
    batch.closed.push_back(closed);
  }
  if (!isWhole) batch.gaps.push_back({m_context.place, GapKind::damagedFrame, 1});
  return batch;
}

/// Of some of the sockets before, in their order. Recordings of earlier versions end before them.
template <class Option, class Read>
void TraceReader::readFurtherOptions(WireReader& reader, ObservationBatch& batch, std::size_t bytesEach,
                                     std::optional<Option> LiveOptions::*option, Read read) const {
  if (reader.failed() || reader.atEnd()) return;
  const std::uint64_t count = reader.countOf(bytesEach);
  auto socket = batch.liveOptions.begin();
  for (std::uint64_t i = 0; i < count; ++i) {
    const ConnectionId id{m_context.place, reader.number<std::uint64_t>()};
    const Option value = read();
    socket = std::find_if(socket, batch.liveOptions.end(), [id](const auto& one) { return one.id == id; });
    if (socket == batch.liveOptions.end()) return;
    socket->options.*option = value;
  }
}

ObservationBatch TraceReader::readOwners(WireReader& reader) const {
  ObservationBatch batch = emptyBatch();
  const std::uint64_t owners = reader.countOf(kSmallestOwner);
  std::uint64_t cut = 0;
  for (std::uint64_t i = 0; i < owners; ++i) {
    OwnerObservation observed;
    observed.id = {m_context.place, reader.number<std::uint64_t>()};
    observed.owner.pid = static_cast<std::int32_t>(reader.number<std::uint32_t>());
    observed.owner.processName = untrusted(reader);
    observed.owner.userName = optionalText(reader);
    observed.owner.unitOrContainer = optionalText(reader);
    if (reader.failed()) break;
    // Here and not only in the session: batches wait in queues that count owners, not bytes.
    if (cutTexts(observed.owner)) ++cut;
    batch.owners.push_back(std::move(observed));
  }
  if (cut > 0) batch.gaps.push_back({m_context.place, GapKind::textCut, cut});
  const std::uint64_t locks = reader.countOf(kLockBytes);
  for (std::uint64_t i = 0; i < locks; ++i) {
    const ConnectionId id{m_context.place, reader.number<std::uint64_t>()};
    const bool sendBuffer = reader.flag();
    batch.liveOptions.push_back({id, {{sendBuffer, reader.flag()}, std::nullopt}});
  }
  readFurtherOptions(reader, batch, kLockBytes, &LiveOptions::nagle, [&reader] {
    const bool noDelay = reader.flag();
    return NagleOptions{noDelay, reader.flag()};
  });
  readProgramWaits(reader, batch);
  readFurtherOptions(reader, batch, kUserTimeoutBytes, &LiveOptions::userTimeout,
                     [&reader] { return Milliseconds(reader.number<std::uint32_t>()); });
  readProgramLoads(reader, batch);
  if (reader.failed()) batch.gaps.push_back({m_context.place, GapKind::damagedFrame, 1});
  return batch;
}

/// Recordings of earlier versions end before them.
void TraceReader::readProgramWaits(WireReader& reader, ObservationBatch& batch) const {
  if (reader.failed() || reader.atEnd()) return;
  const std::uint64_t count = reader.countOf(kProgramWaitsBytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    const ConnectionId id{m_context.place, reader.number<std::uint64_t>()};
    batch.programWaits.push_back({id, tcpscope::readProgramWaits(reader, m_context.clockOffset)});
  }
}

/// They follow the order of the waits that they are of.
void TraceReader::readProgramLoads(WireReader& reader, ObservationBatch& batch) const {
  if (reader.failed() || reader.atEnd()) return;
  const std::uint64_t count = reader.countOf(kProgramLoadBytes);
  auto program = batch.programWaits.begin();
  for (std::uint64_t i = 0; i < count; ++i) {
    const ConnectionId id{m_context.place, reader.number<std::uint64_t>()};
    ProgramWaits load;
    readProgramLoad(reader, load);
    program = std::find_if(program, batch.programWaits.end(), [id](const auto& one) { return one.id == id; });
    if (program == batch.programWaits.end()) return;
    program->waits.majorFaults = load.majorFaults;
    program->waits.softirqRatio = load.softirqRatio;
    ++program;
  }
}

ObservationBatch TraceReader::readRetransmissions(WireReader& reader) const {
  ObservationBatch batch = emptyBatch();
  batch.reportsRetransmissions = reader.flag();
  const std::uint64_t count = reader.countOf(kSmallestRetransmission);
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    const Moment at = readMoment(reader);
    const auto local = readEndpoint(reader);
    const auto remote = readEndpoint(reader);
    if (!local || !remote || reader.failed()) break;
    batch.retransmissions.push_back({*local, *remote, at});
  }
  if (batch.retransmissions.size() != count) batch.gaps.push_back({m_context.place, GapKind::damagedFrame, 1});
  return batch;
}

ObservationBatch TraceReader::readEvents(WireReader& reader) const {
  ObservationBatch batch = emptyBatch();
  const std::uint64_t count = reader.countOf(kSmallestEvent);
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    SourceEvent event;
    event.source = plainText(reader);
    event.at = readMoment(reader);
    const auto local = readEndpoint(reader);
    const auto remote = readEndpoint(reader);
    event.kind = eventKindCalled(reader.text());
    event.count = reader.count();
    const std::uint64_t size = reader.count();
    if (!local || !remote || size > kMaxEventPayload) break;
    const auto payload = reader.bytes(static_cast<std::size_t>(size));
    if (reader.failed() || event.source.size() > kMaxSourceName) break;
    event.local = *local;
    event.remote = *remote;
    event.payload.assign(payload.begin(), payload.end());
    batch.events.push_back(std::move(event));
  }
  if (reader.failed() || batch.events.size() != count) {
    batch.gaps.push_back({m_context.place, GapKind::damagedFrame, 1});
  }
  return batch;
}

ObservationBatch TraceReader::readGaps(WireReader& reader) const {
  ObservationBatch batch = emptyBatch();
  const std::uint64_t count = reader.countOf(kSmallestGap);
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    const auto kind = reader.number<std::uint8_t>();
    // A kind that is not known here is taken for the worst.
    const GapKind known = kind < kGapKinds ? static_cast<GapKind>(kind) : GapKind::malformedMessage;
    const std::uint64_t times = reader.count();
    if (!reader.failed()) batch.gaps.push_back({m_context.place, known, times});
  }
  if (reader.failed()) batch.gaps.push_back({m_context.place, GapKind::damagedFrame, 1});
  return batch;
}

ConnectionEvent TraceReader::readEvent(WireReader& reader) const {
  ConnectionEvent event;
  event.id = {m_context.place, reader.number<std::uint64_t>()};
  event.event.time = readMoment(reader);
  event.event.kind = eventKindCalled(reader.text());
  event.event.count = reader.count();
  return event;
}

ChangeMark TraceReader::readChange(WireReader& reader) const {
  ChangeMark mark;
  mark.time = readMoment(reader);
  const auto cookie = reader.number<std::uint64_t>();
  if (cookie != 0) mark.connection = ConnectionId{m_context.place, cookie};
  mark.key = untrusted(reader);
  mark.before = untrusted(reader);
  mark.after = untrusted(reader);
  return mark;
}

FocusRequest TraceReader::readFocus(WireReader& reader) const {
  FocusRequest request;
  if (!reader.flag()) return request;
  SocketAddress socket;
  socket.id = {m_context.place, reader.number<std::uint64_t>()};
  const auto local = readEndpoint(reader);
  const auto remote = readEndpoint(reader);
  socket.interfaceIndex = reader.number<std::uint32_t>();
  // Those of earlier versions end here.
  if (!reader.atEnd() && reader.flag()) request.networkNamespace = reader.number<std::uint32_t>();
  if (!local || !remote) return request;
  socket.local = *local;
  socket.remote = *remote;
  request.socket = socket;
  return request;
}

}  // namespace tcpscope
