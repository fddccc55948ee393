#include "collectors/tracepoint/set_state_event.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "collectors/tracepoint/event_format.h"
#include "collectors/tracepoint/record_value.h"
#include "collectors/tracepoint/set_state_source.h"

namespace tcpscope {

namespace {

// The payload: old state, new state, then the process identifier and the number of the socket in little-endian order.
constexpr std::size_t kStateBytes = 2;
constexpr std::size_t kNumberBytes = sizeof(std::uint32_t);
constexpr std::size_t kBytesWithoutSocket = kStateBytes + kNumberBytes;
constexpr std::size_t kBytesWithSocket = kBytesWithoutSocket + kNumberBytes;

HistoryEventKind kindOf(TcpState state) {
  if (state == TcpState::established) return HistoryEventKind::opened;
  return state == TcpState::close ? HistoryEventKind::closed : HistoryEventKind::stateChanged;
}

TcpState stateAt(std::span<const std::byte> record, std::size_t offset) {
  const auto number = valueAt<std::uint32_t>(record, offset);
  return number > UINT8_MAX ? TcpState::unknown : tcpStateFromKernel(static_cast<std::uint8_t>(number));
}

void appendNumber(std::vector<std::byte>& payload, std::uint32_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) payload.push_back(static_cast<std::byte>(number >> shift));
}

std::uint32_t numberAt(std::span<const std::byte> payload, std::size_t offset) {
  std::uint32_t number = 0;
  for (std::size_t octet = 0; octet < kNumberBytes; ++octet) {
    number |= std::to_integer<std::uint32_t>(payload[offset + octet]) << (8 * octet);
  }
  return number;
}

std::vector<std::byte> payloadOf(const SetStateLayout& layout, std::span<const std::byte> record) {
  const auto pid = valueAt<std::uint32_t>(record, layout.pid);
  std::vector<std::byte> payload;
  for (const std::size_t offset : {layout.oldState, layout.newState}) {
    payload.push_back(static_cast<std::byte>(stateAt(record, offset)));
  }
  appendNumber(payload, pid);
  return payload;
}

std::optional<Endpoint> endpointAt(std::span<const std::byte> record, std::uint16_t family, std::size_t offset4,
                                   std::size_t offset6, std::uint16_t port) {
  if (family == AF_INET) return Endpoint{IpAddress::v4(valueAt<std::array<std::uint8_t, 4>>(record, offset4)), port};
  if (family != AF_INET6) return std::nullopt;
  return Endpoint{IpAddress::v6(valueAt<std::array<std::uint8_t, 16>>(record, offset6)).unmapped(), port};
}

}  // namespace

std::optional<SetStateLayout> parseSetStateFormat(std::string_view text) {
  SetStateLayout layout;
  const auto id = findEventId(text);
  if (!id) return std::nullopt;
  layout.id = *id;
  const auto find = [&](std::string_view name, std::size_t size, std::size_t& offset) {
    const auto found = findEventField(text, name, size);
    if (!found) return false;
    offset = *found;
    layout.length = std::max(layout.length, offset + size);
    return true;
  };
  const auto findProtocol = [&](std::size_t size) {
    layout.protocolBytes = size;
    return find("protocol", size, layout.protocol);
  };
  const auto findSocket = [&](std::size_t size) {
    layout.socketBytes = size;
    return find("skaddr", size, layout.socket);
  };
  const bool isWhole = find("common_pid", 4, layout.pid) && (findSocket(8) || findSocket(4)) &&
                       find("oldstate", 4, layout.oldState) && find("newstate", 4, layout.newState) &&
                       find("sport", 2, layout.sourcePort) && find("dport", 2, layout.destinationPort) &&
                       find("family", 2, layout.family) && (findProtocol(2) || findProtocol(1)) &&
                       find("saddr", 4, layout.source4) && find("daddr", 4, layout.destination4) &&
                       find("saddr_v6", 16, layout.source6) && find("daddr_v6", 16, layout.destination6);
  return isWhole ? std::optional(layout) : std::nullopt;
}

std::optional<SourceEvent> decodeSetState(const SetStateLayout& layout, std::span<const std::byte> record, Moment at) {
  if (record.size() < layout.length) return std::nullopt;
  const unsigned protocol = layout.protocolBytes == 1 ? valueAt<std::uint8_t>(record, layout.protocol)
                                                      : valueAt<std::uint16_t>(record, layout.protocol);
  if (protocol != IPPROTO_TCP) return std::nullopt;
  const auto family = valueAt<std::uint16_t>(record, layout.family);
  const auto local =
      endpointAt(record, family, layout.source4, layout.source6, valueAt<std::uint16_t>(record, layout.sourcePort));
  const auto remote = endpointAt(record, family, layout.destination4, layout.destination6,
                                 valueAt<std::uint16_t>(record, layout.destinationPort));
  if (!local || !remote) return std::nullopt;
  SourceEvent event;
  event.source = SetStateSource::kDescription.name;
  event.local = *local;
  event.remote = *remote;
  event.at = at;
  event.kind = kindOf(stateAt(record, layout.newState));
  event.payload = payloadOf(layout, record);
  return event;
}

void SocketNumbers::number(const SetStateLayout& layout, std::span<const std::byte> record, SourceEvent& event) {
  if (record.size() < layout.length) return;
  const std::uint64_t address = layout.socketBytes == 8 ? valueAt<std::uint64_t>(record, layout.socket)
                                                        : valueAt<std::uint32_t>(record, layout.socket);
  const TcpState before = stateAt(record, layout.oldState);
  // A socket that begins: the end of an earlier one at this address may have been lost.
  if (before == TcpState::close || before == TcpState::listen) m_numbers.erase(address);
  if (m_numbers.size() >= kMostSockets) m_numbers.clear();
  const auto [known, isNew] = m_numbers.try_emplace(address, m_last + 1);
  if (isNew) ++m_last;
  appendNumber(event.payload, known->second);
  // The kernel gives its memory to another socket from here on.
  if (event.kind == HistoryEventKind::closed) m_numbers.erase(known);
}

std::optional<SetStatePayload> decodeSetStatePayload(std::span<const std::byte> payload) {
  if (payload.size() != kBytesWithoutSocket && payload.size() != kBytesWithSocket) return std::nullopt;
  SetStatePayload decoded{tcpStateFromKernel(std::to_integer<std::uint8_t>(payload[0])),
                          tcpStateFromKernel(std::to_integer<std::uint8_t>(payload[1])),
                          static_cast<std::int32_t>(numberAt(payload, kStateBytes)), std::nullopt};
  if (payload.size() == kBytesWithSocket) decoded.socket = numberAt(payload, kBytesWithoutSocket);
  return decoded;
}

}  // namespace tcpscope
