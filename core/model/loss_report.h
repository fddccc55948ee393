// What the kernel reported of one packet that this host dropped, or of one retransmission: which data, where and why.
//
// It travels as the payload of a SourceEvent (source_event.h), so that recordings and agents carry it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

struct SourceEvent;

/// The longest that Linux waits before it retransmits (TCP_RTO_MAX, include/net/tcp.h): an earlier drop is not the
/// cause.
inline constexpr Nanoseconds kLongestRto = std::chrono::seconds(120);

/// A reason of the kernel's enum skb_drop_reason, without "SKB_DROP_REASON_".
struct DropReason {
  /// Capital letters, digits and underscores; empty where the kernel's type information does not name the number.
  std::string name;
  /// Differs between kernels.
  std::uint32_t number = 0;

  bool operator==(const DropReason&) const = default;
};

/// How much of a retransmission's data was dropped on this host since it had been sent before.
struct DropMatch {
  /// Sequence numbers, of LossReport::sequenceLength.
  std::uint32_t droppedLength = 0;
  /// For how long before the retransmission every drop was reported: an earlier one may be missing.
  Nanoseconds completeFor{0};
  /// Inode of the network namespace in which the data was dropped; absent where unknown.
  std::optional<std::uint32_t> networkNamespace{};

  bool operator==(const DropMatch&) const = default;
};

struct LossReport {
  /// The first sequence number, as on the wire.
  std::uint32_t sequence = 0;
  /// Sequence numbers: one a byte, and one each for SYN and FIN. 0 for a segment without data.
  std::uint32_t sequenceLength = 0;
  /// Inode of the network namespace in which it happened; absent where the kernel does not know it.
  std::optional<std::uint32_t> networkNamespace{};
  /// In another network namespace than that of the event's place: the addresses may be another connection's there.
  bool isElsewhere = false;
  /// Why the packet was dropped; of a retransmission, why its data was before. Absent where no drop was seen.
  std::optional<DropReason> reason{};
  /// Of a retransmission alone.
  std::optional<DropMatch> match{};

  bool operator==(const LossReport&) const = default;
};

std::vector<std::byte> encodeLossReport(const LossReport& report);
/// Absent for bytes that are no such report.
std::optional<LossReport> decodeLossReport(std::span<const std::byte> payload);
/// Of an event that reports a drop or a retransmission; absent for any other.
std::optional<LossReport> lossReportOf(const SourceEvent& event);

}  // namespace tcpscope
