// What one direction of an emulated link does to packets. Absent means "does not happen": a default link is a wire
// without delay and as fast as the processor.
//
// Order of events for a packet: break, MTU, loss, duplication, queue (waits for the rate; dropped or marked there),
// delay with jitter and reordering.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/base/units.h"

namespace tcpscope::lab {

/// Drops what does not fit.
struct DropTail {
  bool operator==(const DropTail&) const = default;
};

/// Random early detection (Floyd and Jacobson 1993): drops or marks with a probability that grows with the mean length.
struct RandomEarlyDetection {
  Bytes minimum;
  Bytes maximum;
  double maximumRatio = 0.1;
  double weight = 0.002;
  /// Marks packets that carry ECT (RFC 3168) instead of dropping them.
  bool marksEcn = false;
  bool operator==(const RandomEarlyDetection&) const = default;
};

/// Drops what exceeds the rate and never lets a packet wait: the limit of the queue is the depth of its token bucket.
struct Policer {
  bool operator==(const Policer&) const = default;
};

struct QueueSettings {
  /// What may wait for the rate, beside the packet in transmission.
  Bytes limit{250'000};
  std::variant<DropTail, RandomEarlyDetection, Policer> discipline;
  bool operator==(const QueueSettings&) const = default;
};

/// Each packet on its own.
struct BernoulliLoss {
  double ratio = 0.0;
  bool operator==(const BernoulliLoss&) const = default;
};

/// Two states (Gilbert 1960, Elliott 1963), moved between before each packet that loss may hit.
struct GilbertElliottLoss {
  double goodToBad = 0.0;
  double badToGood = 1.0;
  double lossInGood = 0.0;
  double lossInBad = 1.0;
  bool operator==(const GilbertElliottLoss&) const = default;
};

/// These packets with payload, counted from 1 over the link's life, and no other.
struct ScriptedLoss {
  std::vector<std::uint64_t> packets;
  bool operator==(const ScriptedLoss&) const = default;
};

using LossSettings = std::variant<std::monostate, BernoulliLoss, GilbertElliottLoss, ScriptedLoss>;

struct LinkSettings {
  /// Of whole IP packets; above zero.
  std::optional<BitsPerSecond> rate;
  Nanoseconds delay{0};
  /// Uniform, added to the delay; the order of packets stays.
  Nanoseconds jitter{0};
  QueueSettings queue;
  LossSettings loss;
  /// Loss hits only packets that carry payload of TCP or UDP.
  bool lossSparesControl = true;
  /// Share of the packets that are delayed by `reorderingDelay`, so that later ones overtake them.
  double reorderingRatio = 0.0;
  Nanoseconds reorderingDelay{0};
  double duplicationRatio = 0.0;
  /// Larger packets are dropped and reported to the sender (ICMP, RFC 1191 and RFC 8201) unless `mtuIsSilent`.
  std::optional<Bytes> mtu;
  bool mtuIsSilent = false;
  /// From this long after its first packet on, nothing passes.
  std::optional<Nanoseconds> breaksAfter;

  bool operator==(const LinkSettings&) const = default;
};

}  // namespace tcpscope::lab
