#include "collectors/sock_diag/socket_table.h"

#include <algorithm>
#include <cstring>

#include "core/base/invariant.h"
#include "core/base/prefetch.h"

namespace tcpscope {

namespace {

std::uint32_t fourBytes(const IpAddress& address) {
  std::uint32_t value = 0;
  std::memcpy(&value, address.bytes().data(), sizeof value);
  return value;
}

IpAddress addressOfFourBytes(std::uint32_t value) {
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return IpAddress::v4(bytes);
}

}  // namespace

void SocketTable::beginDump() {
  // Zero is the generation of an entry that no dump has shown yet.
  m_generation = m_generation + 1 == kWide ? 1 : m_generation + 1;
  m_seen = 0;
  m_expected = 0;
  m_alternative = 0;
}

SocketTable::Slot SocketTable::find(std::uint64_t cookie) const {
  return m_index.find(cookie, [this](Slot slot) { return m_entries[slot].cookie; });
}

SocketTable::Slot SocketTable::findFromCursor(std::uint64_t cookie) {
  // Two guesses before the index: behind the last socket found in sequence, and behind the last one looked up, so that
  // a new socket in between does not lose the sequence.
  if (m_expected < m_entries.size() && m_entries[m_expected].cookie == cookie) {
    // Between two datagrams the kernel reads so much memory that the processor has forgotten the sequence.
    constexpr Slot kAhead = 8;
    if (m_expected + kAhead < m_entries.size()) prefetch(&m_entries[m_expected + kAhead], sizeof(Entry));
    return m_expected++;
  }
  if (m_alternative < m_entries.size() && m_entries[m_alternative].cookie == cookie) {
    m_expected = m_alternative + 1;
    return m_alternative;
  }
  const Slot slot = find(cookie);
  if (slot != kNoSlot) m_alternative = slot + 1;
  return slot;
}

SocketTable::Sighting SocketTable::see(std::uint64_t cookie, std::uint64_t digest, Moment at) {
  TCPSCOPE_INVARIANT(cookie != 0);
  Sighting sighting;
  sighting.slot = findFromCursor(cookie);
  sighting.isNew = sighting.slot == kNoSlot;
  if (sighting.isNew && size() >= m_maxSockets) {
    sighting.refused = true;
    return sighting;
  }
  if (sighting.isNew) sighting.slot = insert(cookie);
  Entry& entry = m_entries[sighting.slot];
  sighting.repeated = seenNow(entry);
  if (sighting.repeated) return sighting;
  sighting.changed = sighting.isNew || entry.digest != digest;
  if (!sighting.isNew) sighting.before = Moment::fromNanoseconds(entry.lastSeenNs);
  entry.digest = digest;
  entry.lastSeenNs = at.nanoseconds();
  entry.generation = (entry.generation & kWide) | m_generation;
  ++m_seen;
  return sighting;
}

void SocketTable::seeAllUnchanged(Moment at) {
  for (Entry& entry : m_entries) {
    if (entry.cookie == 0 || seenNow(entry)) continue;
    entry.lastSeenNs = at.nanoseconds();
    entry.generation = (entry.generation & kWide) | m_generation;
    ++m_seen;
  }
}

void SocketTable::forgetDigest(Slot slot) {
  // The complement differs from what the next sighting will most likely bring: the same message.
  m_entries[slot].digest = ~m_entries[slot].digest;
}

SocketTable::Slot SocketTable::insert(std::uint64_t cookie) {
  Slot slot = static_cast<Slot>(m_entries.size());
  if (m_freeSlots.empty()) {
    // By a quarter instead of doubling: with 500,000 sockets the difference is 20 MB.
    if (m_entries.size() == m_entries.capacity())
      m_entries.reserve(std::max<std::size_t>(64, m_entries.size() * 5 / 4));
    m_entries.emplace_back();
  } else {
    slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_entries[slot] = Entry();
  }
  m_index.insert(cookie, slot, [this](Slot other) { return m_entries[other].cookie; });
  m_entries[slot].cookie = cookie;
  return slot;
}

bool SocketTable::remove(std::uint64_t cookie) {
  const Slot slot = m_index.erase(cookie, [this](Slot other) { return m_entries[other].cookie; });
  if (slot == kNoSlot) return false;
  Entry& entry = m_entries[slot];
  releaseWide(entry);
  if (seenNow(entry)) --m_seen;
  entry = Entry();
  m_freeSlots.push_back(slot);
  return true;
}

void SocketTable::releaseWide(const Entry& entry) {
  if ((entry.generation & kWide) != 0) m_freeWide.push_back(entry.localAddress);
}

void SocketTable::setAddress(Slot slot, const SocketAddress& address) {
  Entry& entry = m_entries[slot];
  releaseWide(entry);
  entry.generation &= ~kWide;
  entry.localPort = address.local.port;
  entry.remotePort = address.remote.port;
  if (address.local.address.family() == AddressFamily::ipv4 && address.interfaceIndex == 0) {
    entry.localAddress = fourBytes(address.local.address);
    entry.remoteAddress = fourBytes(address.remote.address);
    return;
  }
  if (m_freeWide.empty()) {
    m_freeWide.push_back(static_cast<std::uint32_t>(m_wide.size()));
    m_wide.emplace_back();
  }
  entry.localAddress = m_freeWide.back();
  m_freeWide.pop_back();
  m_wide[entry.localAddress] = {address.local.address.bytes(), address.remote.address.bytes(), address.interfaceIndex,
                                address.local.address.family()};
  entry.generation |= kWide;
}

SocketAddress SocketTable::address(Slot slot) const {
  const Entry& entry = m_entries[slot];
  SocketAddress address;
  address.id = {m_place, entry.cookie};
  address.local.port = entry.localPort;
  address.remote.port = entry.remotePort;
  if ((entry.generation & kWide) == 0) {
    address.local.address = addressOfFourBytes(entry.localAddress);
    address.remote.address = addressOfFourBytes(entry.remoteAddress);
    return address;
  }
  const WideAddress& wide = m_wide[entry.localAddress];
  const auto toAddress = [&wide](const std::array<std::uint8_t, 16>& bytes) {
    return wide.family == AddressFamily::ipv6 ? IpAddress::v6(bytes)
                                              : IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]});
  };
  address.local.address = toAddress(wide.local);
  address.remote.address = toAddress(wide.remote);
  address.interfaceIndex = wide.interfaceIndex;
  return address;
}

SocketTable::Slot SocketTable::nextMissing(Slot from) const {
  for (Slot slot = from; slot < m_entries.size(); ++slot) {
    if (m_entries[slot].cookie != 0 && !seenNow(m_entries[slot])) return slot;
  }
  return kNoSlot;
}

std::size_t SocketTable::memoryBytes() const {
  return m_entries.capacity() * sizeof(Entry) + m_wide.capacity() * sizeof(WideAddress) +
         (m_freeSlots.capacity() + m_freeWide.capacity()) * sizeof(Slot) + m_index.memoryBytes();
}

}  // namespace tcpscope
