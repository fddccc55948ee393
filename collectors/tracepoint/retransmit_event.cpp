#include "collectors/tracepoint/retransmit_event.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "collectors/tracepoint/event_format.h"
#include "collectors/tracepoint/record_value.h"

namespace tcpscope {

namespace {

constexpr std::size_t kBytes4 = 4;
constexpr std::size_t kBytes6 = 16;

template <std::size_t Size>
std::array<std::uint8_t, Size> octetsAt(std::span<const std::byte> record, std::size_t offset) {
  return valueAt<std::array<std::uint8_t, Size>>(record, offset);
}

}  // namespace

std::optional<RetransmitLayout> parseRetransmitFormat(std::string_view text) {
  RetransmitLayout layout;
  const auto id = findEventId(text);
  if (!id) return std::nullopt;
  layout.id = *id;
  const auto place = [&](std::string_view name, std::size_t size, std::size_t& offset) {
    const auto found = findEventField(text, name, size);
    if (!found) return false;
    offset = *found;
    layout.length = std::max(layout.length, offset + size);
    return true;
  };
  constexpr std::size_t kWord = sizeof(std::uint16_t);
  std::size_t family = 0;
  if (place("family", kWord, family)) layout.family = family;
  std::size_t error = 0;
  if (place("err", sizeof(std::int32_t), error)) layout.error = error;
  const bool isWhole = place("sport", kWord, layout.sourcePort) && place("dport", kWord, layout.destinationPort) &&
                       place("saddr", kBytes4, layout.source4) && place("daddr", kBytes4, layout.destination4) &&
                       place("saddr_v6", kBytes6, layout.source6) && place("daddr_v6", kBytes6, layout.destination6);
  return isWhole ? std::optional(layout) : std::nullopt;
}

std::optional<RetransmissionEvent> decodeRetransmit(const RetransmitLayout& layout, std::span<const std::byte> record,
                                                    Moment at) {
  if (record.size() < layout.length) return std::nullopt;
  if (layout.error && valueAt<std::int32_t>(record, *layout.error) != 0) return std::nullopt;
  const auto sourcePort = valueAt<std::uint16_t>(record, layout.sourcePort);
  const auto destinationPort = valueAt<std::uint16_t>(record, layout.destinationPort);
  const IpAddress source = IpAddress::v6(octetsAt<kBytes6>(record, layout.source6)).unmapped();
  const IpAddress destination = IpAddress::v6(octetsAt<kBytes6>(record, layout.destination6)).unmapped();
  // Both kinds of addresses are filled in for IPv4: mapped ones in the longer fields.
  if (!layout.family) return RetransmissionEvent{{source, sourcePort}, {destination, destinationPort}, at};
  switch (valueAt<std::uint16_t>(record, *layout.family)) {
    case AF_INET:
      return RetransmissionEvent{{IpAddress::v4(octetsAt<kBytes4>(record, layout.source4)), sourcePort},
                                 {IpAddress::v4(octetsAt<kBytes4>(record, layout.destination4)), destinationPort},
                                 at};
    case AF_INET6:
      return RetransmissionEvent{{source, sourcePort}, {destination, destinationPort}, at};
    default:
      return std::nullopt;
  }
}

}  // namespace tcpscope
