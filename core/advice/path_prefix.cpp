#include "core/advice/path_prefix.h"

#include <algorithm>

namespace tcpscope {

namespace {

constexpr unsigned kIpv4PathBits = 24;
constexpr unsigned kIpv6PathBits = 48;

unsigned pathBits(AddressFamily family) {
  return family == AddressFamily::ipv4 ? kIpv4PathBits : kIpv6PathBits;
}

bool isLinkLocalOrMulticast(const IpAddress& address) {
  const auto& bytes = address.bytes();
  if (address.family() == AddressFamily::ipv4) {
    return (bytes[0] == 169 && bytes[1] == 254) || bytes[0] >= 224;
  }
  return bytes[0] == 0xff || (bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80);
}

}  // namespace

std::optional<PathPrefix> PathPrefix::of(const IpAddress& remote) {
  const IpAddress plain = remote.unmapped();
  if (plain.isUnspecified() || plain.isLoopback() || isLinkLocalOrMulticast(plain)) return std::nullopt;
  const std::size_t kept = pathBits(plain.family()) / 8;
  auto bytes = plain.bytes();
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(kept), bytes.end(), std::uint8_t{0});
  if (plain.family() == AddressFamily::ipv6) return PathPrefix(IpAddress::v6(bytes));
  return PathPrefix(IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]}));
}

std::optional<PathPrefix> PathPrefix::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  const auto path = of(*address);
  if (!path || slash == std::string_view::npos) return path;
  const bool isWhole = text.substr(slash + 1) == std::to_string(path->bits()) && path->network() == address->unmapped();
  return isWhole ? path : std::nullopt;
}

unsigned PathPrefix::bits() const {
  return pathBits(m_network.family());
}

std::string PathPrefix::toString() const {
  return m_network.toString() + "/" + std::to_string(bits());
}

std::optional<PathPrefix> pathOf(const IpAddress& local, const IpAddress& remote) {
  if (local.unmapped() == remote.unmapped()) return std::nullopt;
  return PathPrefix::of(remote);
}

}  // namespace tcpscope
