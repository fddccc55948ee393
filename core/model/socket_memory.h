// Memory of one socket as INET_DIAG_SKMEMINFO reports it (include/uapi/linux/sock_diag.h), in bytes of kernel memory:
// buffers count the bookkeeping around each packet, so that about half of a limit is usable window.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/units.h"

namespace tcpscope {

struct SocketMemory {
  /// Received and not yet read, bookkeeping included.
  Bytes receiveAllocated;
  /// Limit of the above (SO_RCVBUF).
  Bytes receiveBuffer;
  /// Handed to the network device and not yet freed.
  Bytes sendAllocated;
  /// Limit of sendQueued (SO_SNDBUF).
  Bytes sendBuffer;
  /// Reserved and not yet used.
  Bytes forwardAllocated;
  /// Written by the program and not yet acknowledged, bookkeeping included.
  Bytes sendQueued;
  Bytes optionMemory;
  /// Packets' memory waiting while a program holds the socket.
  Bytes backlog;
  /// Packets dropped at this socket. Absent before Linux 4.7.
  std::optional<Count> drops;

  bool operator==(const SocketMemory&) const = default;
};

}  // namespace tcpscope
