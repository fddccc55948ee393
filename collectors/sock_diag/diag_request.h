// The requests of the diagnosis protocol (include/uapi/linux/inet_diag.h): a dump, the question for exactly one socket,
// and to close one. Built into a buffer on the stack, so that a request at 1 kHz allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "collectors/source/collector.h"

namespace tcpscope {

/// A finished netlink message.
class DiagRequest {
public:
  static constexpr std::size_t kMaxBytes = 4096;
  /// In one message; asked one by one, sockets cost almost twice as much.
  static constexpr std::size_t kMostQuestions = 16;
  /// Longer bytecode does not go into a request; the dump is then not filtered by the kernel.
  static constexpr std::size_t kMaxBytecodeBytes = kMaxBytes - 128;

  /// Every TCP socket, IPv4 and IPv6, in the states of `stateMask` that `bytecode` lets through (empty: all of them).
  /// It is the request without family (TCPDIAG_GETSOCK): one that asks for a family makes the kernel walk its whole
  /// table once for each. Sockets that are only bound are left out: no TCP is spoken there, and the kernel walks the
  /// table of all ports for them, milliseconds in which no sample can be taken.
  static DiagRequest dump(std::uint32_t stateMask, std::span<const std::byte> bytecode, std::uint32_t sequence);
  /// The one socket with this cookie. The kernel answers ENOENT when it is gone.
  static DiagRequest exact(const SocketAddress& socket, std::uint32_t sequence);
  /// The same for another socket, in the same message to the kernel; at most kMostQuestions.
  void addExact(const SocketAddress& socket, std::uint32_t sequence);
  /// Closes the one socket with this cookie (SOCK_DESTROY). Answered by an error message, whose number is 0 once it is
  /// closed.
  static DiagRequest close(const SocketAddress& socket, std::uint32_t sequence);

  [[nodiscard]] std::span<const std::byte> bytes() const { return {m_bytes.data(), m_size}; }
  /// Is it answered by any number of datagrams?
  [[nodiscard]] bool isDump() const { return m_isDump; }
  /// Each has a sequence number, one behind the one before it, and an answer of its own.
  [[nodiscard]] std::uint32_t questions() const { return m_questions; }

private:
  static DiagRequest about(const SocketAddress& socket, std::uint16_t type, std::uint16_t flags,
                           std::uint32_t sequence);
  void append(std::span<const std::byte> part);

  std::array<std::byte, kMaxBytes> m_bytes;
  std::size_t m_size = 0;
  std::uint32_t m_questions = 1;
  bool m_isDump = false;
};

}  // namespace tcpscope
