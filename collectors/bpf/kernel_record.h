// What the kernel's half of this source writes for each event, and its settings: C for the one half, C++ for the other.
//
// Both run on the same machine, so that the byte order is its own. Nothing lies between the members.
#pragma once

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace tcpscope {
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
#else
typedef __u8 uint8_t;
typedef __u16 uint16_t;
typedef __u32 uint32_t;
typedef __u64 uint64_t;
#endif

enum KernelRecordKind { kRecordOfDrop = 1, kRecordOfRetransmission = 2 };

struct KernelRecord {
  // CLOCK_MONOTONIC.
  uint64_t atNanoseconds;
  // Of a retransmission: when TCP began with what led to it (tcp_mstamp). What was dropped since then is its own.
  uint64_t begunNanoseconds;
  uint32_t kind;
  // Of a drop: a number of the kernel's enum skb_drop_reason.
  uint32_t reason;
  // The first sequence number, and how many the segment or aggregate has: a SYN and a FIN have one each (RFC 9293).
  uint32_t sequence;
  uint32_t sequenceLength;
  // Inode of the network namespace; 0 where the kernel does not know it.
  uint32_t networkNamespace;
  // AF_INET or AF_INET6.
  uint16_t family;
  // In the host's byte order.
  uint16_t sourcePort;
  uint16_t destinationPort;
  uint16_t unused;
  // IPv4: the first four bytes.
  uint8_t source[16];
  uint8_t destination[16];
  uint32_t unusedAtEnd;
};

enum { kBitmapWords = 8, kBitsPerWord = 64 };

struct KernelSettings {
  // Bit n set: reason n is not the loss of a packet.
  uint64_t noLoss[kBitmapWords];
  // Of reasons that are not given.
  uint32_t notSpecified;
  // The tracepoint reports the receiving socket: since Linux 6.11.
  uint32_t reportsReceiver;
  // The tracepoint reports whether the retransmission was sent: since Linux 6.16.
  uint32_t reportsError;
  // Of one processor within a tenth of a second: packets that are dropped beyond these are only counted.
  uint32_t mostPerWindow;
};

#ifdef __cplusplus
static_assert(sizeof(KernelRecord) == 80);
static_assert(sizeof(KernelSettings) == 80);
}  // namespace tcpscope
#endif
