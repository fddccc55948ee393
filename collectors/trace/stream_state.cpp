#include "collectors/trace/stream_state.h"

#include <utility>

#include "collectors/trace/wire_bytes.h"
#include "core/model/collection_gap.h"

namespace tcpscope {

namespace {

/// Far below the longest payload: the last thing of a frame may be long.
constexpr std::size_t kFullPayload = kMaxPayloadBytes / 2;
/// Beside its bytes, of a socket: the node of the table and what the allocator adds to it and to each part.
constexpr std::size_t kEntryBytes = 160;

void assignBytes(std::vector<std::byte>& to, std::span<const std::byte> from) {
  to.assign(from.begin(), from.end());
}

std::uint64_t cookieOf(std::span<const std::byte> bytes) {
  return WireReader(bytes).number<std::uint64_t>();
}

/// The bytes that `read` takes off the reader.
template <class Read>
std::span<const std::byte> taken(std::span<const std::byte> all, WireReader& reader, Read&& read) {
  const std::size_t before = reader.left();
  read();
  return all.subspan(all.size() - before, before - reader.left());
}

/// Gathers things behind a head and a count into restated frames.
class RestatedFrames {
public:
  RestatedFrames(std::vector<std::byte>& out, FrameKind kind, std::vector<std::byte> head, std::vector<std::byte> tail)
      : m_out(out), m_kind(kind), m_head(std::move(head)), m_tail(std::move(tail)) {}

  void add(std::span<const std::byte> thing) {
    m_things.insert(m_things.end(), thing.begin(), thing.end());
    ++m_count;
    if (m_things.size() >= kFullPayload) finish();
  }
  void finish() {
    if (m_count == 0) return;
    std::vector<std::byte> payload;
    WireWriter writer(payload);
    writer.number(static_cast<std::uint8_t>(m_kind));
    writer.bytes(m_head);
    writer.count(std::exchange(m_count, 0));
    writer.bytes(m_things);
    writer.bytes(m_tail);
    appendFrame(m_out, FrameKind::restated, payload);
    m_things.clear();
  }

private:
  std::vector<std::byte>& m_out;
  FrameKind m_kind;
  std::vector<std::byte> m_head;
  std::vector<std::byte> m_tail;
  std::vector<std::byte> m_things;
  std::uint64_t m_count = 0;
};

}  // namespace

void StreamState::accept(std::span<const std::byte> frames) {
  while (!frames.empty()) {
    const OwnFrame frame = ownFrameAt(frames);
    frames = frames.subspan(kFrameHeaderBytes + frame.payload.size());
    if (frame.kind == FrameKind::hello) assignBytes(m_hello, frame.payload);
    if (frame.kind == FrameKind::sockets) takeSockets(frame.payload);
    if (frame.kind == FrameKind::closed) takeClosed(frame.payload);
    if (frame.kind == FrameKind::owner) takeOwners(frame.payload);
    if (frame.kind == FrameKind::hostFacts) assignBytes(m_facts, frame.payload);
  }
}

void StreamState::keep(Sockets::iterator socket, std::vector<std::byte> Known::*part,
                       std::span<const std::byte> bytes) {
  std::vector<std::byte>& kept = socket->second.*part;
  m_bytes = m_bytes + bytes.size() - kept.size();
  assignBytes(kept, bytes);
  if (m_bytes <= m_mostBytes) return;
  forget(socket);
  ++m_leftOut;
}

void StreamState::forget(Sockets::iterator socket) {
  const Known& known = socket->second;
  m_bytes -= kEntryBytes + known.record.size() + known.owner.size() + known.locks.size();
  m_sockets.erase(socket);
}

void StreamState::takeSockets(std::span<const std::byte> payload) {
  WireReader reader(payload);
  reader.flag();
  reader.count();
  if (reader.flag()) reader.moment<Moment>();
  const std::uint64_t count = reader.count();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::span<const std::byte> record;
    const auto whole = taken(payload, reader, [&] { record = reader.bytes(reader.count()); });
    const auto [socket, isNew] = m_sockets.try_emplace(cookieOf(record));
    if (isNew) m_bytes += kEntryBytes;
    keep(socket, &Known::record, whole);
  }
}

void StreamState::takeClosed(std::span<const std::byte> payload) {
  WireReader reader(payload);
  const std::uint64_t count = reader.count();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto socket = m_sockets.find(reader.number<std::uint64_t>());
    if (socket != m_sockets.end()) forget(socket);
    reader.moment<Moment>();
    if (reader.flag()) reader.bytes(reader.count());
  }
}

void StreamState::takeOwners(std::span<const std::byte> payload) {
  WireReader reader(payload);
  const auto known = [&](std::span<const std::byte> thing) { return m_sockets.find(cookieOf(thing)); };
  const std::uint64_t owners = reader.count();
  for (std::uint64_t i = 0; i < owners; ++i) {
    const auto owner = taken(payload, reader, [&] {
      reader.bytes(sizeof(std::uint64_t) + sizeof(std::uint32_t));
      reader.text();
      if (reader.flag()) reader.text();
      if (reader.flag()) reader.text();
    });
    if (const auto socket = known(owner); socket != m_sockets.end()) keep(socket, &Known::owner, owner);
  }
  const std::uint64_t locks = reader.count();
  for (std::uint64_t i = 0; i < locks; ++i) {
    const auto lock = reader.bytes(sizeof(std::uint64_t) + 2);
    if (const auto socket = known(lock); socket != m_sockets.end()) keep(socket, &Known::locks, lock);
  }
}

void StreamState::appendOpening(std::vector<std::byte>& out) const {
  appendFrame(out, FrameKind::hello, m_hello);
  if (!m_facts.empty()) appendFrame(out, FrameKind::hostFacts, m_facts);
}

void StreamState::appendSockets(std::vector<std::byte>& out) const {
  const std::byte none{0};
  // Of the list's rate, nothing unchanged, no end of a dump.
  RestatedFrames sockets(out, FrameKind::sockets, {none, none, none}, {});
  for (const auto& [cookie, known] : m_sockets) {
    if (!known.record.empty()) sockets.add(known.record);
  }
  sockets.finish();
  RestatedFrames owners(out, FrameKind::owner, {}, {none});
  RestatedFrames locks(out, FrameKind::owner, {none}, {});
  for (const auto& [cookie, known] : m_sockets) {
    if (!known.owner.empty()) owners.add(known.owner);
    if (!known.locks.empty()) locks.add(known.locks);
  }
  owners.finish();
  locks.finish();
  if (m_leftOut == 0) return;
  std::vector<std::byte> payload;
  WireWriter writer(payload);
  writer.number(static_cast<std::uint8_t>(FrameKind::gap));
  writer.count(1);
  writer.number(static_cast<std::uint8_t>(GapKind::socketBudget));
  writer.count(m_leftOut);
  appendFrame(out, FrameKind::restated, payload);
}

}  // namespace tcpscope
