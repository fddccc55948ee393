// The programs at the two ends of a test's transfer. Each runs inside a host's namespace, is bounded in time, and does
// one thing wrong on purpose, or nothing.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/units.h"

namespace tcpscope::test {

struct ReceiverProgram {
  std::uint16_t port = 5001;
  /// SO_RCVBUF before listen(), 0 for auto-tuning.
  int receiveBufferBytes = 0;
  /// Reads at most this much, then rests; 0 reads whatever comes at once.
  std::size_t bytesPerRead = 0;
  Milliseconds restBetweenReads{0};
  /// Accepts nothing: connections wait in the accept queue of this length.
  bool accepts = true;
  int backlog = 16;
};

struct SenderProgram {
  std::string address = "10.77.0.2";
  std::uint16_t port = 5001;
  /// Set on the socket: the host's default may be anything.
  std::string congestionControl = "cubic";
  /// SO_SNDBUF before connect(), 0 for auto-tuning.
  int sendBufferBytes = 0;
  /// Writes this much, then rests; without a rest it writes all the time.
  std::size_t bytesPerWrite = 65536;
  Milliseconds restBetweenWrites{0};
  /// Nothing is appended to a packet of an earlier write (MSG_EOR), so that SO_SNDBUF holds to the letter. Else the
  /// kernel asks for memory only where a new packet begins, and a burst as large as the congestion window gets past a
  /// small buffer (tcp_sendmsg_locked() in net/ipv4/tcp.c).
  bool endsRecords = false;
  /// Connects and never writes.
  bool silent = false;
};

/// Both return when the peer is gone or `life` is over.
void run(const ReceiverProgram& program, std::chrono::seconds life);
void run(const SenderProgram& program, std::chrono::seconds life);

}  // namespace tcpscope::test
