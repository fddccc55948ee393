#include "core/model/endpoint.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace tcpscope {

IpAddress IpAddress::v4(const std::array<std::uint8_t, 4>& bytes) {
  IpAddress address;
  std::copy(bytes.begin(), bytes.end(), address.m_bytes.begin());
  address.m_family = AddressFamily::ipv4;
  return address;
}

IpAddress IpAddress::v6(const std::array<std::uint8_t, 16>& bytes) {
  IpAddress address;
  address.m_bytes = bytes;
  address.m_family = AddressFamily::ipv6;
  return address;
}

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  // The C functions below would stop at a zero byte and take what comes before it.
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string terminated(text);
  std::array<std::uint8_t, 4> four{};
  if (inet_pton(AF_INET, terminated.c_str(), four.data()) == 1) return v4(four);
  std::array<std::uint8_t, 16> sixteen{};
  if (inet_pton(AF_INET6, terminated.c_str(), sixteen.data()) == 1) return v6(sixteen);
  return std::nullopt;
}

IpAddress IpAddress::unmapped() const {
  static constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (m_family != AddressFamily::ipv6 || !std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), m_bytes.begin())) {
    return *this;
  }
  return v4({m_bytes[12], m_bytes[13], m_bytes[14], m_bytes[15]});
}

bool IpAddress::isLoopback() const {
  const IpAddress plain = unmapped();
  if (plain.m_family == AddressFamily::ipv4) return plain.m_bytes[0] == 127;
  std::array<std::uint8_t, 16> loopback{};
  loopback[15] = 1;
  return plain.m_bytes == loopback;
}

bool IpAddress::isUnspecified() const {
  const IpAddress plain = unmapped();
  return std::all_of(plain.m_bytes.begin(), plain.m_bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

bool IpAddress::isWithin(const IpAddress& network, unsigned prefixBits) const {
  const IpAddress plain = unmapped();
  const IpAddress base = network.unmapped();
  if (plain.m_family != base.m_family) return false;
  const unsigned addressBits = plain.m_family == AddressFamily::ipv4 ? 32 : 128;
  const unsigned bits = std::min(prefixBits, addressBits);
  const unsigned whole = bits / 8;
  if (std::memcmp(plain.m_bytes.data(), base.m_bytes.data(), whole) != 0) return false;
  const unsigned rest = bits % 8;
  if (rest == 0) return true;
  const unsigned mask = 0xffU << (8 - rest) & 0xffU;
  return (plain.m_bytes[whole] & mask) == (base.m_bytes[whole] & mask);
}

std::string IpAddress::toString() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(m_family == AddressFamily::ipv4 ? AF_INET : AF_INET6, m_bytes.data(), text.data(), text.size());
  return text.data();
}

std::string Endpoint::toString() const {
  const std::string number = std::to_string(port);
  if (address.family() == AddressFamily::ipv4) return address.toString() + ":" + number;
  return "[" + address.toString() + "]:" + number;
}

}  // namespace tcpscope
