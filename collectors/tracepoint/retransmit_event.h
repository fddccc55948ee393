// The kernel's tracepoint tcp:tcp_retransmit_skb, from the text that describes its record and from the record's bytes.
//
// Where a field lies differs between kernels: nothing is assumed, all is read from the description. What lacks a field
// that is needed, or lies about its size, gives nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/retransmission_event.h"

namespace tcpscope {

/// Offsets into the record, in bytes. `sport` and `dport` are in the host's byte order (include/trace/events/tcp.h).
struct RetransmitLayout {
  /// Number of the event, by which the kernel is asked for it.
  std::uint64_t id = 0;
  std::size_t sourcePort = 0;
  std::size_t destinationPort = 0;
  /// Nothing before Linux 5.14: then the address gives the family, IPv6 unless it is IPv4-mapped.
  std::optional<std::size_t> family;
  /// Why a retransmission was not sent; nothing where the kernel does not report it.
  std::optional<std::size_t> error;
  std::size_t source4 = 0;
  std::size_t destination4 = 0;
  std::size_t source6 = 0;
  std::size_t destination6 = 0;
  /// Where the last of them ends.
  std::size_t length = 0;
};

/// Of the file `format` beside the event (tracefs).
std::optional<RetransmitLayout> parseRetransmitFormat(std::string_view text);

/// Nothing for a record that is too short, of another family than IP, or of a retransmission that could not be sent.
std::optional<RetransmissionEvent> decodeRetransmit(const RetransmitLayout& layout, std::span<const std::byte> record,
                                                    Moment at);

}  // namespace tcpscope
