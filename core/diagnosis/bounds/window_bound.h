// Bounds that follow from a window: at most one window of data can be in flight per RTT.
//
// Always valid, whatever the congestion control; as good as the RTT. All take the span's mean RTT; where there is
// none yet the bound says so.
#pragma once

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Window that the receiving end advertises (tcpi_snd_wnd sending, tcpi_rcv_wnd receiving) over the RTT.
Bound receiverWindowBound(const ConnectionEvidence& evidence);
/// Congestion window times segment size over the RTT.
Bound congestionWindowBound(const ConnectionEvidence& evidence);
/// What the send buffer holds of data, bookkeeping taken off, over the RTT.
Bound sendBufferBound(const ConnectionEvidence& evidence);
/// 65535 bytes shifted by the negotiated window scale, over the RTT.
Bound windowScaleBound(const ConnectionEvidence& evidence);
/// The pacing limit that the program set (SO_MAX_PACING_RATE).
Bound pacingBound(const ConnectionEvidence& evidence);

/// RTT that bounds of this side are taken over; nothing where none is known.
std::optional<double> boundRttSeconds(const ConnectionEvidence& evidence);

/// Share of the send buffer that holds data: the rest is the kernel's bookkeeping around packets. Measured where data
/// is queued, else a half.
double usableSendBufferRatio(const ConnectionEvidence& evidence);

}  // namespace tcpscope
