#include "collectors/sock_diag/diag_digest.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace tcpscope {

namespace {

__extension__ using Product = unsigned __int128;

// Odd constants with about half of their bits set; any such will do.
constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kSecond = 0xC2B2AE3D27D4EB4FULL;
constexpr std::uint64_t kThird = 0xD6E8FEB86659FD93ULL;

std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t load(const std::byte* from) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Three independent chains of multiplications, so that the processor overlaps them.
class Digester {
public:
  /// The fixed part but for which timer runs, and for how long: both change while nothing happens.
  void takeFixedPart(const std::byte* message) {
    constexpr std::uint64_t kWithoutTimer = ~(std::uint64_t{0xff} << 8 * offsetof(inet_diag_msg, idiag_timer));
    constexpr std::uint64_t kWithoutExpiry = 0xffffffffU;
    static_assert(offsetof(inet_diag_msg, idiag_expires) == 52 && sizeof(inet_diag_msg) == 72);
    static_assert(std::endian::native == std::endian::little);
    m_a = fold((load(message) & kWithoutTimer) ^ kFirst, load(message + 8) ^ m_a);
    m_b = fold(load(message + 16) ^ kSecond, load(message + 24) ^ m_b);
    m_c = fold(load(message + 32) ^ kThird, load(message + 40) ^ m_c);
    m_a = fold((load(message + 48) & kWithoutExpiry) ^ kFirst, load(message + 56) ^ m_a);
    m_b = fold(load(message + 64) ^ kSecond, m_b);
  }
  void take(std::span<const std::byte> bytes) {
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    // In registers: as members they would be stored after each step, since bytes may be any object's.
    std::uint64_t a = m_a;
    std::uint64_t b = m_b;
    std::uint64_t c = m_c;
    for (; left >= 48; at += 48, left -= 48) {
      a = fold(load(at) ^ kFirst, load(at + 8) ^ a);
      b = fold(load(at + 16) ^ kSecond, load(at + 24) ^ b);
      c = fold(load(at + 32) ^ kThird, load(at + 40) ^ c);
    }
    for (; left >= 16; at += 16, left -= 16) a = fold(load(at) ^ kFirst, load(at + 8) ^ a);
    m_a = a;
    m_b = b;
    m_c = c;
    if (left == 0) return;
    if (bytes.size() < 16) return takeShort(at, left);
    // The last 16 bytes, part of them once more.
    at = bytes.data() + bytes.size() - 16;
    m_b = fold(load(at) ^ kSecond, load(at + 8) ^ m_b);
  }

  /// The length belongs to it: a missing attribute is a change also where its bytes were zero.
  [[nodiscard]] std::uint64_t finish(std::size_t length) const {
    return fold(fold(m_a ^ kSecond, m_b ^ kThird) ^ length, m_c ^ kFirst);
  }

private:
  void takeShort(const std::byte* at, std::size_t left) {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::memcpy(&low, at, std::min<std::size_t>(left, 8));
    if (left > 8) std::memcpy(&high, at + 8, left - 8);
    m_b = fold(low ^ kSecond, high ^ m_b);
  }

  std::uint64_t m_a = kThird;
  std::uint64_t m_b = kFirst;
  std::uint64_t m_c = kSecond;
};

constexpr std::size_t kFixedBytes = sizeof(inet_diag_msg);
constexpr std::size_t kAgesBegin = 44;  // tcpi_last_data_sent
constexpr std::size_t kAgesEnd = 60;    // behind tcpi_last_ack_recv

std::uint32_t loadHeader(const std::byte* from) {
  static_assert(sizeof(nlattr) == sizeof(std::uint32_t));
  std::uint32_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

bool AttributeLayout::fits(std::span<const std::byte> payload) const {
  if (m_count == 0 || payload.size() < m_infoEnd) return false;
  // Not one after the other: the processor loads all of them at once.
  std::uint32_t differences = 0;
  for (std::size_t index = 0; index < m_count; ++index) {
    differences |= loadHeader(payload.data() + m_headers[index].at) ^ m_headers[index].bytes;
  }
  return differences == 0;
}

std::size_t AttributeLayout::findTcpInfo(std::span<const std::byte> payload) {
  if (fits(payload)) return m_infoBegin;
  m_count = 0;
  std::size_t count = 0;
  std::size_t at = kFixedBytes;
  while (payload.size() - at >= sizeof(nlattr)) {
    nlattr header;
    std::memcpy(&header, payload.data() + at, sizeof header);
    if (header.nla_len < sizeof header || header.nla_len > payload.size() - at) break;
    if (count < kMost) m_headers[count] = {static_cast<std::uint32_t>(at), loadHeader(payload.data() + at)};
    ++count;
    if (header.nla_type == INET_DIAG_INFO && header.nla_len >= sizeof header + kAgesEnd) {
      m_infoBegin = at + sizeof header;
      m_infoEnd = at + header.nla_len;
      if (count <= kMost) m_count = count;
      return m_infoBegin;
    }
    at += std::min<std::size_t>(NLA_ALIGN(header.nla_len), payload.size() - at);
  }
  return payload.size();
}

std::optional<DiagDigest> digestOf(std::span<const std::byte> payload, AttributeLayout& layout) {
  if (payload.size() < kFixedBytes) return std::nullopt;
  DiagDigest result;
  result.cookie = load(payload.data() + offsetof(inet_diag_msg, id.idiag_cookie));
  Digester digester;
  digester.takeFixedPart(payload.data());
  const std::size_t info = layout.findTcpInfo(payload);
  if (info == payload.size()) {
    digester.take(payload.subspan(kFixedBytes));
  } else {
    digester.take(payload.subspan(kFixedBytes, info + kAgesBegin - kFixedBytes));
    digester.take(payload.subspan(info + kAgesEnd));
  }
  result.digest = digester.finish(payload.size());
  return result;
}

}  // namespace tcpscope
