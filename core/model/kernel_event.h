// One event of one connection, at the moment at which the kernel reported it: what a log of connections is made of.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/base/untrusted_text.h"
#include "core/model/endpoint.h"
#include "core/model/loss_report.h"

namespace tcpscope {

enum class KernelEventKind : std::uint8_t {
  /// By a program of this host: from the SYN to the end of the handshake.
  opened,
  /// By a listener of this host: the handshake has ended, its program may not have taken the connection yet.
  accepted,
  /// The attempt ended without a connection: refused, without an answer, or given up by its program.
  openingFailed,
  /// The socket is no more; one in TIME-WAIT may remain in its place.
  closed,
  /// One packet, of one or more segments.
  retransmitted,
  /// One packet, on this host: `local` is its source and `remote` its destination.
  dropped,
};
std::string_view name(KernelEventKind kind);

struct KernelEvent {
  KernelEventKind kind = KernelEventKind::closed;
  Endpoint local;
  Endpoint remote;
  Moment at;
  /// Of the handshake, of the attempt, or of the connection's life; absent where its beginning was not reported.
  std::optional<Nanoseconds> duration{};
  /// The thread that opened the connection; absent where that was not reported.
  std::optional<std::int32_t> thread{};
  /// Empty where it ended before its name was read.
  UntrustedText threadName{};
  /// Of a dropped packet, and of a retransmission where drops are reported, too.
  std::optional<LossReport> loss{};

  bool operator==(const KernelEvent&) const = default;
};

}  // namespace tcpscope
