// The tracepoint sock:inet_sock_set_state (Linux 4.16): its description, its records, and the event that one becomes.
//
// The payload of the event keeps what the history does not show: the state before and after, a number for the socket,
// and the thread that was running, which for a state changed by a packet is whatever the processor was doing.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "core/model/source_event.h"
#include "core/model/tcp_state.h"

namespace tcpscope {

/// Offsets into the record, in bytes. The ports are in the host's byte order (include/trace/events/sock.h).
struct SetStateLayout {
  /// The number of the event, by which the kernel is asked for it.
  std::uint64_t id = 0;
  std::size_t pid = 0;
  /// The kernel's address of the socket.
  std::size_t socket = 0;
  /// Of an address: eight, four on processors of 32 bits.
  std::size_t socketBytes = 0;
  std::size_t oldState = 0;
  std::size_t newState = 0;
  std::size_t sourcePort = 0;
  std::size_t destinationPort = 0;
  std::size_t family = 0;
  std::size_t protocol = 0;
  /// One byte before Linux 5.6, two since.
  std::size_t protocolBytes = 0;
  std::size_t source4 = 0;
  std::size_t destination4 = 0;
  std::size_t source6 = 0;
  std::size_t destination6 = 0;
  /// Where the last of them ends.
  std::size_t length = 0;
};

/// What the payload of such an event says. `pid` is the number of a thread, which the kernel calls so.
struct SetStatePayload {
  TcpState oldState = TcpState::unknown;
  TcpState newState = TcpState::unknown;
  std::int32_t pid = 0;
  /// The source's number for the socket, the same in all of its events: a connection that opens has no port at first.
  /// Absent in older recordings.
  std::optional<std::uint32_t> socket;

  bool operator==(const SetStatePayload&) const = default;
};

/// Of the file `format` beside the event (tracefs); empty where a field is missing or has another size.
std::optional<SetStateLayout> parseSetStateFormat(std::string_view text);

/// Empty for a record that is too short, or not of TCP. ESTABLISHED is reported as opened, CLOSE as closed, any other
/// state as a change of state.
std::optional<SourceEvent> decodeSetState(const SetStateLayout& layout, std::span<const std::byte> record, Moment at);

/// The numbers of sockets: the kernel's addresses, which help an attacker, stay here. Where there are more at once than
/// it can keep, all are forgotten, and get other numbers.
class SocketNumbers {
public:
  /// Adds the number of the record's socket to the event that the record became.
  void number(const SetStateLayout& layout, std::span<const std::byte> record, SourceEvent& event);

private:
  static constexpr std::size_t kMostSockets = 262'144;
  std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;
  std::uint32_t m_last = 0;
};

/// Empty for bytes that are no such payload.
std::optional<SetStatePayload> decodeSetStatePayload(std::span<const std::byte> payload);

}  // namespace tcpscope
