// Why packets cannot be captured here and now. The sentence is made in core/present/text/capture_text.h.
#pragma once

#include <cstdint>

#include "core/base/untrusted_text.h"

namespace tcpscope {

enum class LiveCaptureErrorKind : std::uint8_t {
  /// Packet sockets are for root, or for programs with CAP_NET_RAW.
  missingRight,
  noSuchInterface,
  interfaceIsDown,
  /// Went away while packets were captured, or failed.
  interfaceFailed,
  /// Not in the language of pcap-filter(7), or not for this kind of interface.
  badFilter,
  /// The connection lives on another host or in another network namespace.
  elsewhere,
  failed,
};

struct LiveCaptureError {
  LiveCaptureErrorKind kind = LiveCaptureErrorKind::failed;
  /// The interface, or the filter.
  UntrustedText object;
  /// Message of libpcap; may be empty.
  UntrustedText reason;
};

}  // namespace tcpscope
