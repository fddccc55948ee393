#include "core/wire/probe/probe_packet.h"

namespace tcpscope {

namespace {

constexpr std::uint32_t kEchoBit = 0x8000'0000U;

/// In network byte order.
template <class Number>
void put(std::span<std::byte> out, Number number) {
  for (std::size_t index = 0; index < sizeof number; ++index) {
    out[index] = static_cast<std::byte>(number >> (8 * (sizeof number - 1 - index)) & 0xffU);
  }
}

template <class Number>
Number get(std::span<const std::byte> bytes) {
  Number number = 0;
  for (std::size_t index = 0; index < sizeof number; ++index) {
    number = static_cast<Number>(number << 8U | std::to_integer<Number>(bytes[index]));
  }
  return number;
}

}  // namespace

std::array<std::byte, kProbePayloadBytes> encoded(const ProbePacket& packet) {
  std::array<std::byte, kProbePayloadBytes> bytes{};
  const std::span<std::byte> out(bytes);
  put(out, packet.token);
  put(out.subspan(8), packet.sequence | (packet.requestsEcho ? kEchoBit : 0U));
  put(out.subspan(12), static_cast<std::uint64_t>(packet.sentAt.count()));
  return bytes;
}

std::optional<ProbePacket> parseProbePacket(std::span<const std::byte> payload) {
  if (payload.size() < kProbePayloadBytes) return std::nullopt;
  ProbePacket packet;
  packet.token = get<std::uint64_t>(payload);
  const auto word = get<std::uint32_t>(payload.subspan(8));
  packet.sequence = word & ~kEchoBit;
  packet.requestsEcho = (word & kEchoBit) != 0;
  packet.sentAt = Nanoseconds(static_cast<Nanoseconds::rep>(get<std::uint64_t>(payload.subspan(12))));
  return packet;
}

}  // namespace tcpscope
