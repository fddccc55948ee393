// An IP address with a port, as the kernel's diagnosis messages carry it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcpscope {

enum class AddressFamily : std::uint8_t { ipv4, ipv6 };

/// 4 or 16 bytes in network order. IPv4-mapped IPv6 addresses stay IPv6, as in the kernel's tables.
class IpAddress {
public:
  constexpr IpAddress() = default;
  static IpAddress v4(const std::array<std::uint8_t, 4>& bytes);
  static IpAddress v6(const std::array<std::uint8_t, 16>& bytes);
  /// Reads the usual text forms; nothing where it is not an address.
  static std::optional<IpAddress> parse(std::string_view text);

  [[nodiscard]] AddressFamily family() const { return m_family; }
  /// IPv4 uses the first four bytes, the rest is zero.
  [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const { return m_bytes; }
  [[nodiscard]] bool isLoopback() const;
  [[nodiscard]] bool isUnspecified() const;
  /// The IPv4 address inside ::ffff:a.b.c.d, else the address itself.
  [[nodiscard]] IpAddress unmapped() const;
  /// Do the first `prefixBits` bits agree (after unmapping both)? False across families.
  [[nodiscard]] bool isWithin(const IpAddress& network, unsigned prefixBits) const;
  [[nodiscard]] std::string toString() const;

  auto operator<=>(const IpAddress&) const = default;

private:
  std::array<std::uint8_t, 16> m_bytes{};
  AddressFamily m_family = AddressFamily::ipv4;
};

struct Endpoint {
  IpAddress address;
  std::uint16_t port = 0;

  /// "192.0.2.1:443", "[2001:db8::1]:443".
  [[nodiscard]] std::string toString() const;

  auto operator<=>(const Endpoint&) const = default;
};

}  // namespace tcpscope
