// Runs in the kernel, at the tracepoints skb:kfree_skb and tcp:tcp_retransmit_skb: writes a KernelRecord for each
// dropped packet of TCP and for each retransmission.
//
// The first reports the kernel's address of a packet and the reason alone: IP addresses and sequence numbers are read
// from the headers. Of the kernel's structures just the members that are read are declared; where they lie in the
// running kernel, libbpf finds by its BTF (CO-RE). Nothing waits: what finds the ring full, or is beyond the cap, is
// counted in `lost`.
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "collectors/bpf/kernel_record.h"

#define AF_INET 2
#define AF_INET6 10
#define ETH_P_IP 0x0800
#define ETH_P_IPV6 0x86DD
#define IPPROTO_HOPOPTS 0
#define IPPROTO_TCP 6

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct ns_common {
  unsigned int inum;
};
struct net {
  struct ns_common ns;
};
typedef struct {
  struct net* net;
} possible_net_t;
struct net_device {
  possible_net_t nd_net;
};
struct in6_addr {
  union {
    __u8 u6_addr8[16];
  } in6_u;
};
struct sock_common {
  __be32 skc_daddr;
  __be32 skc_rcv_saddr;
  __be16 skc_dport;
  __u16 skc_num;
  unsigned short skc_family;
  possible_net_t skc_net;
  struct in6_addr skc_v6_daddr;
  struct in6_addr skc_v6_rcv_saddr;
};
struct sock {
  struct sock_common __sk_common;
};
struct tcp_sock {
  __u64 tcp_mstamp;
};
struct sk_buff {
  struct net_device* dev;
  struct sock* sk;
  unsigned int len;
  __be16 protocol;
  __u16 network_header;
  unsigned char* head;
  unsigned char* data;
  char cb[48];
};
struct tcp_skb_cb {
  __u32 seq;
  __u32 end_seq;
};
#pragma clang attribute pop

// As on the wire.
struct ipv4_header {
  __u8 version_and_length;
  __u8 tos;
  __be16 total_length;
  __be16 id;
  __be16 fragment;
  __u8 ttl;
  __u8 protocol;
  __be16 checksum;
  __u8 source[4];
  __u8 destination[4];
};
struct ipv6_header {
  __be32 version_and_flow;
  __be16 payload_length;
  __u8 next_header;
  __u8 hop_limit;
  __u8 source[16];
  __u8 destination[16];
};
struct tcp_header {
  __be16 source;
  __be16 destination;
  __be32 sequence;
  __be32 acknowledgment;
  __u8 data_offset;
  __u8 flags;
};
#define TCP_FIN 0x01
#define TCP_SYN 0x02

// Set before the program is loaded.
const volatile struct KernelSettings settings = {0};

// Events that were not written. The other half reads it through a mapping.
__u64 lost = 0;

#define RING_BYTES (1 << 20)
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, RING_BYTES);
} ring SEC(".maps");

#define WINDOW_NANOSECONDS 100000000ULL
struct window {
  __u64 begin;
  __u64 events;
};
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct window);
} windows SEC(".maps");

// Few enough that a flood costs no more than the counting, per processor and window.
static __always_inline int is_within_cap(__u64 now) {
  __u32 first = 0;
  struct window* window = bpf_map_lookup_elem(&windows, &first);
  if (!window) return 0;
  if (now - window->begin >= WINDOW_NANOSECONDS) {
    window->begin = now;
    window->events = 0;
  }
  return ++window->events <= settings.mostPerWindow;
}

// The other half polls ten times a second; a ring that is half full does not wait for that.
static __always_inline __u64 wakeup(void) {
  return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) > RING_BYTES / 2 ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static __always_inline void write_record(const struct KernelRecord* record) {
  if (bpf_ringbuf_output(&ring, (void*)record, sizeof *record, wakeup()) != 0) __sync_fetch_and_add(&lost, 1);
}

static __always_inline __u32 namespace_of(const struct sock* socket, const struct net_device* device) {
  if (socket) return BPF_CORE_READ(socket, __sk_common.skc_net.net, ns.inum);
  return device ? BPF_CORE_READ(device, nd_net.net, ns.inum) : 0;
}

enum headers {
  NO_TCP,
  TCP_PACKET,
  // The network layer has handed it to TCP of this host: the IP header lies before its data.
  HANDED_TO_TCP,
};

// The headers of a packet: NO_TCP unless it is a first fragment or a whole packet of TCP over IPv4 or IPv6.
static __always_inline enum headers read_headers(const struct sk_buff* skb, struct KernelRecord* record) {
  unsigned char* const head = BPF_CORE_READ(skb, head);
  const __u32 data = (__u32)(BPF_CORE_READ(skb, data) - head);
  const __u16 protocol = bpf_ntohs(BPF_CORE_READ(skb, protocol));
  __u32 network = BPF_CORE_READ(skb, network_header);
  // Dropped before the network layer has seen it: then the data begin with its header.
  if (network == 0) network = data;
  __u32 transport = 0;
  __u32 payload = 0;
  if (protocol == ETH_P_IP) {
    struct ipv4_header ip;
    if (bpf_probe_read_kernel(&ip, sizeof ip, head + network) != 0) return NO_TCP;
    const __u32 length = (__u32)(ip.version_and_length & 0xf) * 4;
    if (ip.version_and_length >> 4 != 4 || length < sizeof ip || ip.protocol != IPPROTO_TCP) return NO_TCP;
    if (bpf_ntohs(ip.fragment) & 0x1fff) return NO_TCP;
    transport = network + length;
    payload = bpf_ntohs(ip.total_length);
    if (payload != 0 && payload < length) return NO_TCP;
    if (payload != 0) payload -= length;
    record->family = AF_INET;
    __builtin_memcpy(record->source, ip.source, sizeof ip.source);
    __builtin_memcpy(record->destination, ip.destination, sizeof ip.destination);
  } else if (protocol == ETH_P_IPV6) {
    struct ipv6_header ip;
    if (bpf_probe_read_kernel(&ip, sizeof ip, head + network) != 0) return NO_TCP;
    if (bpf_ntohl(ip.version_and_flow) >> 28 != 6) return NO_TCP;
    transport = network + sizeof ip;
    payload = bpf_ntohs(ip.payload_length);
    if (ip.next_header == IPPROTO_HOPOPTS) {
      // The jumbo option of packets of more than 64 KiB (RFC 2675): their length is that of the packet.
      __u8 option[2];
      if (payload != 0 || bpf_probe_read_kernel(option, sizeof option, head + transport) != 0) return NO_TCP;
      if (option[0] != IPPROTO_TCP) return NO_TCP;
      transport += ((__u32)option[1] + 1) * 8;
    } else if (ip.next_header != IPPROTO_TCP) {
      return NO_TCP;
    }
    record->family = AF_INET6;
    __builtin_memcpy(record->source, ip.source, sizeof ip.source);
    __builtin_memcpy(record->destination, ip.destination, sizeof ip.destination);
  } else {
    return NO_TCP;
  }
  struct tcp_header tcp;
  if (bpf_probe_read_kernel(&tcp, sizeof tcp, head + transport) != 0) return NO_TCP;
  const __u32 length = (__u32)(tcp.data_offset >> 4) * 4;
  if (length < 20) return NO_TCP;
  // Aggregates above 64 KiB report no length in their header.
  if (payload == 0) {
    const __u32 end = data + BPF_CORE_READ(skb, len);
    if (end < transport) return NO_TCP;
    payload = end - transport;
  }
  if (payload < length) return NO_TCP;
  record->sourcePort = bpf_ntohs(tcp.source);
  record->destinationPort = bpf_ntohs(tcp.destination);
  record->sequence = bpf_ntohl(tcp.sequence);
  record->sequenceLength = payload - length + !!(tcp.flags & TCP_SYN) + !!(tcp.flags & TCP_FIN);
  return data >= transport ? HANDED_TO_TCP : TCP_PACKET;
}

SEC("tp_btf/kfree_skb")
int on_drop(__u64* arguments) {
  const struct sk_buff* const skb = (const struct sk_buff*)arguments[0];
  const __u32 reason = (__u32)arguments[2];
  if (reason < kBitmapWords * kBitsPerWord) {
    const __u32 word = (reason / kBitsPerWord) & (kBitmapWords - 1);
    if ((settings.noLoss[word] >> (reason % kBitsPerWord)) & 1) return 0;
  }
  const __u16 protocol = bpf_ntohs(BPF_CORE_READ(skb, protocol));
  if (protocol != ETH_P_IP && protocol != ETH_P_IPV6) return 0;
  struct KernelRecord record = {};
  record.atNanoseconds = bpf_ktime_get_ns();
  const enum headers headers = read_headers(skb, &record);
  if (headers == NO_TCP) return 0;
  // TCP names what it drops. Without a reason it frees what it has processed, such as the FIN that moves a connection to
  // TIME-WAIT.
  if (headers == HANDED_TO_TCP && reason == settings.notSpecified) return 0;
  // Behind all that is not counted: a flood of other protocols loses nothing.
  if (!is_within_cap(record.atNanoseconds)) {
    __sync_fetch_and_add(&lost, 1);
    return 0;
  }
  record.kind = kRecordOfDrop;
  record.reason = reason;
  // A packet in a queue of TCP has its socket, and no device: another member lies there (struct sk_buff, rbnode).
  const struct sock* socket = settings.reportsReceiver ? (const struct sock*)arguments[3] : 0;
  if (!socket) socket = BPF_CORE_READ(skb, sk);
  record.networkNamespace = namespace_of(socket, BPF_CORE_READ(skb, dev));
  write_record(&record);
  return 0;
}

SEC("tp_btf/tcp_retransmit_skb")
int on_retransmission(__u64* arguments) {
  const struct sock* const socket = (const struct sock*)arguments[0];
  const struct sk_buff* const skb = (const struct sk_buff*)arguments[1];
  if (settings.reportsError && (int)arguments[2] != 0) return 0;
  struct KernelRecord record = {};
  record.atNanoseconds = bpf_ktime_get_ns();
  record.begunNanoseconds = BPF_CORE_READ((const struct tcp_sock*)socket, tcp_mstamp) * 1000;
  record.kind = kRecordOfRetransmission;
  const struct tcp_skb_cb* const segment = (const struct tcp_skb_cb*)__builtin_preserve_access_index(&skb->cb);
  record.sequence = BPF_CORE_READ(segment, seq);
  record.sequenceLength = BPF_CORE_READ(segment, end_seq) - record.sequence;
  record.networkNamespace = namespace_of(socket, 0);
  record.family = BPF_CORE_READ(socket, __sk_common.skc_family);
  record.sourcePort = BPF_CORE_READ(socket, __sk_common.skc_num);
  record.destinationPort = bpf_ntohs(BPF_CORE_READ(socket, __sk_common.skc_dport));
  if (record.family == AF_INET) {
    bpf_core_read(record.source, 4, &socket->__sk_common.skc_rcv_saddr);
    bpf_core_read(record.destination, 4, &socket->__sk_common.skc_daddr);
  } else if (bpf_core_field_exists(socket->__sk_common.skc_v6_daddr)) {
    bpf_core_read(record.source, 16, &socket->__sk_common.skc_v6_rcv_saddr);
    bpf_core_read(record.destination, 16, &socket->__sk_common.skc_v6_daddr);
  }
  write_record(&record);
  return 0;
}
