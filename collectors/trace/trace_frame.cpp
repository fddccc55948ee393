#include "collectors/trace/trace_frame.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "collectors/trace/crc32c.h"
#include "collectors/trace/wire_bytes.h"
#include "core/base/invariant.h"

namespace tcpscope {

namespace {

/// Begins with a byte that is in no UTF-8 text.
constexpr std::array<std::byte, 4> kMagic = {std::byte{0xF5}, std::byte{'T'}, std::byte{'S'}, std::byte{'C'}};
constexpr std::size_t kHeaderCheckAt = 6;
/// A run of damage is reported at the latest after this many bytes.
constexpr std::uint64_t kLongestDamage = 1U << 20;

/// Over everything of the header but itself: a length that passes it may be trusted to skip by.
std::uint16_t headerCheck(std::span<const std::byte> header) {
  const std::uint32_t crc = crc32c(header.subspan(kHeaderCheckAt + 2, 8), crc32c(header.first(kHeaderCheckAt)));
  return static_cast<std::uint16_t>(crc ^ crc >> 16);
}

bool hasMagic(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), bytes.begin());
}

}  // namespace

void appendFrame(std::vector<std::byte>& out, FrameKind kind, std::span<const std::byte> payload) {
  TCPSCOPE_INVARIANT(payload.size() <= kMaxPayloadBytes);
  std::vector<std::byte> header;
  header.reserve(kFrameHeaderBytes);
  WireWriter writer(header);
  writer.bytes(kMagic);
  writer.number(kFrameVersion);
  writer.number(static_cast<std::uint8_t>(kind));
  writer.number<std::uint16_t>(0);
  writer.number(static_cast<std::uint32_t>(payload.size()));
  writer.number(crc32c(payload));
  const std::uint16_t check = headerCheck(header);
  header[kHeaderCheckAt] = static_cast<std::byte>(check & 0xffU);
  header[kHeaderCheckAt + 1] = static_cast<std::byte>(check >> 8);
  out.insert(out.end(), header.begin(), header.end());
  out.insert(out.end(), payload.begin(), payload.end());
}

OwnFrame ownFrameAt(std::span<const std::byte> bytes) {
  WireReader reader(bytes.subspan(kMagic.size() + 1));
  OwnFrame frame;
  frame.kind = static_cast<FrameKind>(reader.number<std::uint8_t>());
  reader.number<std::uint16_t>();
  const auto payloadBytes = reader.number<std::uint32_t>();
  TCPSCOPE_INVARIANT(hasMagic(bytes) && bytes.size() - kFrameHeaderBytes >= payloadBytes);
  frame.payload = bytes.subspan(kFrameHeaderBytes, payloadBytes);
  return frame;
}

bool beginsWithFrame(std::span<const std::byte> bytes) {
  return hasMagic(bytes);
}

void FrameReader::feed(std::span<const std::byte> bytes) {
  if (m_at > 0) {
    m_buffer.erase(m_buffer.begin(), m_buffer.begin() + static_cast<std::ptrdiff_t>(m_at));
    m_offset += m_at;
    m_at = 0;
  }
  m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
}

std::optional<FrameReader::Header> FrameReader::readHeader(std::span<const std::byte> bytes) {
  if (!hasMagic(bytes)) return std::nullopt;
  WireReader reader(bytes.subspan(kMagic.size(), kFrameHeaderBytes - kMagic.size()));
  Header header;
  header.version = reader.number<std::uint8_t>();
  header.kind = static_cast<FrameKind>(reader.number<std::uint8_t>());
  const auto check = reader.number<std::uint16_t>();
  header.payloadBytes = reader.number<std::uint32_t>();
  header.payloadCheck = reader.number<std::uint32_t>();
  if (check != headerCheck(bytes) || header.payloadBytes > kMaxPayloadBytes) return std::nullopt;
  return header;
}

void FrameReader::skip(std::size_t bytes) {
  if (m_damage.bytes == 0) m_damage.offset = m_offset + m_at;
  m_damage.bytes += bytes;
  m_at += bytes;
}

void FrameReader::reportMissing() {
  skip(rest().size());
  m_damage.bytes = std::max<std::uint64_t>(1, m_damage.bytes);
}

void FrameReader::skipToNextMagic() {
  // Not beyond the end of a piece: where a piece ends must not depend on how much has arrived.
  const std::size_t room = static_cast<std::size_t>(kLongestDamage - std::min(m_damage.bytes, kLongestDamage - 1));
  const std::span<const std::byte> bytes = rest().first(std::min(room, rest().size()));
  const auto next = std::find(bytes.begin() + 1, bytes.end(), kMagic.front());
  skip(static_cast<std::size_t>(next - bytes.begin()));
}

FrameReader::Step FrameReader::takeDamage() {
  return {std::nullopt, std::exchange(m_damage, {})};
}

std::optional<FrameReader::Step> FrameReader::next() {
  while (true) {
    if (m_damage.bytes >= kLongestDamage) return takeDamage();
    const std::span<const std::byte> bytes = rest();
    if (bytes.size() < kFrameHeaderBytes) {
      if (!m_ended) return std::nullopt;
      if (!bytes.empty()) skip(bytes.size());
      return m_damage.bytes > 0 ? std::optional<Step>(takeDamage()) : std::nullopt;
    }
    const std::optional<Header> header = readHeader(bytes);
    if (!header) {
      skipToNextMagic();
      continue;
    }
    const std::size_t frameBytes = kFrameHeaderBytes + header->payloadBytes;
    if (bytes.size() < frameBytes) {
      if (!m_ended) return std::nullopt;
      skip(bytes.size());
      continue;
    }
    const std::span<const std::byte> payload = bytes.subspan(kFrameHeaderBytes, header->payloadBytes);
    if (crc32c(payload) != header->payloadCheck) {
      skip(frameBytes);
      continue;
    }
    if (m_damage.bytes > 0) return takeDamage();
    m_at += frameBytes;
    return Step{Frame{header->version, header->kind, payload}, {}};
  }
}

}  // namespace tcpscope
