// Runs in the kernel: HighSpeed TCP and gentle HighSpeed TCP, original and refined, as congestion controls (struct_ops).
// How windows grow and shrink and when modes switch is in core/control, which tests and fuzzers run as well.
//
// Of the kernel's structures just the members that are used are declared; where they lie in the running kernel, libbpf
// finds by its BTF (CO-RE). Slow start, and what undoes a decrease, are those of Reno.
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "core/control/gentle_high_speed.h"

char LICENSE[] SEC("license") = "GPL";

struct sock;
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct inet_connection_sock {
  __u64 icsk_ca_priv[13];
};
struct tcp_sock {
  struct inet_connection_sock inet_conn;
  __u32 snd_nxt;
  __u32 snd_una;
  __u32 snd_cwnd;
  __u32 snd_ssthresh;
  __u32 snd_cwnd_clamp;
  __u32 prior_cwnd;
  __u32 max_packets_out;
  __u64 tcp_mstamp;
  __u8 is_cwnd_limited : 1;
};
struct ack_sample {
  __u32 pkts_acked;
  __s32 rtt_us;
};
struct tcp_congestion_ops {
  __u32 (*ssthresh)(struct sock* sk);
  void (*cong_avoid)(struct sock* sk, __u32 ack, __u32 acked);
  __u32 (*undo_cwnd)(struct sock* sk);
  void (*pkts_acked)(struct sock* sk, const struct ack_sample* sample);
  void (*init)(struct sock* sk);
  char name[16];
};
#pragma clang attribute pop

// Of a connection, in its icsk_ca_priv.
struct connection {
  struct GentleState gentle;
  // What acknowledged segments have not added to the window yet.
  __u64 credit;
  // a(w) is computed once a window, not once an ACK.
  __u32 increase;
  __u32 increaseWindow;
  // The sample cycle ends once this is acknowledged.
  __u32 cycleEnd;
  __u32 hasCycle;
};
_Static_assert(sizeof(struct connection) <= 13 * sizeof(__u64), "more than the kernel keeps (ICSK_CA_PRIV_SIZE)");

static __always_inline struct connection* connection_of(struct sock* sk) {
  return (struct connection*)((struct inet_connection_sock*)sk)->icsk_ca_priv;
}

static __always_inline int is_cwnd_limited(const struct tcp_sock* tp) {
  if (tp->snd_cwnd < tp->snd_ssthresh) return tp->snd_cwnd < 2 * tp->max_packets_out;
  return !!BPF_CORE_READ_BITFIELD(tp, is_cwnd_limited);
}

static __always_inline void begin(struct sock* sk) {
  struct connection* const connection = connection_of(sk);
  beginGentle(&connection->gentle);
  connection->credit = 0;
  connection->increase = kRenoIncrease;
  connection->increaseWindow = 0;
  connection->cycleEnd = 0;
  connection->hasCycle = 0;
}

static __always_inline void avoid_congestion(struct sock* sk, __u32 acked) {
  struct tcp_sock* const tp = (struct tcp_sock*)sk;
  struct connection* const connection = connection_of(sk);
  if (!is_cwnd_limited(tp)) return;
  if (tp->snd_cwnd < tp->snd_ssthresh) {
    tp->snd_cwnd = slowStartWindow(tp->snd_cwnd, acked, tp->snd_ssthresh, tp->snd_cwnd_clamp, &acked);
    if (acked == 0) return;
  }
  const __u32 window = tp->snd_cwnd;
  if (connection->increaseWindow != window) {
    connection->increase = highSpeedIncrease(window);
    connection->increaseWindow = window;
  }
  const __u32 increase = connection->gentle.mode == kRenoMode ? kRenoIncrease : connection->increase;
  __u64 credit = connection->credit;
  tp->snd_cwnd = increasedWindow(window, acked, increase, tp->snd_cwnd_clamp, &credit);
  connection->credit = credit;
}

static __always_inline void sample_rtt(struct sock* sk, const struct ack_sample* sample, enum GentleRule rule) {
  const struct tcp_sock* const tp = (const struct tcp_sock*)sk;
  struct connection* const connection = connection_of(sk);
  if (connection->hasCycle && (__s32)(tp->snd_una - connection->cycleEnd) >= 0) {
    endSampleCycle(&connection->gentle, rule);
    connection->hasCycle = 0;
  }
  if (!connection->hasCycle) {
    connection->cycleEnd = tp->snd_nxt;
    connection->hasCycle = 1;
  }
  const __s32 rtt = sample->rtt_us;
  // Unknown where what was acknowledged had been retransmitted.
  if (rtt < 0) return;
  addRttSample(&connection->gentle.trend, (__u32)tp->tcp_mstamp - (__u32)rtt, (__u32)rtt);
}

SEC("struct_ops/begin_connection")
void begin_connection(__u64* arguments) {
  begin((struct sock*)arguments[0]);
}

SEC("struct_ops/threshold")
__u32 threshold(__u64* arguments) {
  struct sock* const sk = (struct sock*)arguments[0];
  // The rest of a cycle that a loss cuts short is none.
  connection_of(sk)->hasCycle = 0;
  beginLossCycle(&connection_of(sk)->gentle);
  return decreasedWindow(((struct tcp_sock*)sk)->snd_cwnd);
}

SEC("struct_ops/avoid")
void avoid(__u64* arguments) {
  avoid_congestion((struct sock*)arguments[0], (__u32)arguments[2]);
}

// As tcp_reno_undo_cwnd().
SEC("struct_ops/undone_window")
__u32 undone_window(__u64* arguments) {
  const struct tcp_sock* const tp = (const struct tcp_sock*)arguments[0];
  return tp->snd_cwnd > tp->prior_cwnd ? tp->snd_cwnd : tp->prior_cwnd;
}

SEC("struct_ops/sample_original")
void sample_original(__u64* arguments) {
  sample_rtt((struct sock*)arguments[0], (const struct ack_sample*)arguments[1], kOriginalRule);
}

SEC("struct_ops/sample_refined")
void sample_refined(__u64* arguments) {
  sample_rtt((struct sock*)arguments[0], (const struct ack_sample*)arguments[1], kRefinedRule);
}

SEC(".struct_ops")
struct tcp_congestion_ops hstcp = {
    .init = (void*)begin_connection,
    .ssthresh = (void*)threshold,
    .cong_avoid = (void*)avoid,
    .undo_cwnd = (void*)undone_window,
    .name = "hstcp",
};

SEC(".struct_ops")
struct tcp_congestion_ops ghstcp_orig = {
    .init = (void*)begin_connection,
    .ssthresh = (void*)threshold,
    .cong_avoid = (void*)avoid,
    .undo_cwnd = (void*)undone_window,
    .pkts_acked = (void*)sample_original,
    .name = "ghstcp_orig",
};

SEC(".struct_ops")
struct tcp_congestion_ops ghstcp = {
    .init = (void*)begin_connection,
    .ssthresh = (void*)threshold,
    .cong_avoid = (void*)avoid,
    .undo_cwnd = (void*)undone_window,
    .pkts_acked = (void*)sample_refined,
    .name = "ghstcp",
};
