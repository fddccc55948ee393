// A window of the application's own protocol: the sending application stops at a number of unanswered bytes and
// continues when the receiving one responds, whatever TCP would allow. Windows of SSH channels, credits of SMB,
// requests that a client keeps in flight.
//
// What shows it: the sender is application-limited, the amount in flight is constant, and the peer responds at least
// every other RTT. A source of constant rate looks the same while the RTT does not change: then the window is in doubt.
// Packets at the sender show more: it continues at acknowledgments that carry data, and at no others.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

struct ApplicationWindow {
  Bytes size;
  double confidenceRatio = 0.0;
};

/// Of a sender that its application limits.
std::optional<ApplicationWindow> applicationWindow(const ConnectionEvidence& sending);

}  // namespace tcpscope
