// Small writes that wait for acknowledgments (Nagle's algorithm against delayed acknowledgments) or for more data
// (TCP_CORK), and hold up a request and its response by that.
//
// Nagle's algorithm costs a stream nothing: what waits goes out with the next acknowledgment, together with what was
// written meanwhile. It costs an exchange whose request is written in pieces: the peer cannot answer before it has all
// of them, and delays its acknowledgment because it has nothing to send.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"
#include "core/diagnosis/evidence/window_statistics.h"

namespace tcpscope {

/// From this share on they are what limits the exchanges.
inline constexpr double kSmallWritesLimit = 0.3;

/// Share of the samples, or of the time of exchanges, in which a part of a request waited; absent where it is seldom or
/// not reported, where data flows in one direction only, or where the program has set TCP_NODELAY.
std::optional<double> smallWriteWaitRatio(const ConnectionEvidence& sending);

/// The same of a socket, without its evidence.
std::optional<double> smallWriteWaitRatio(const SocketObservation& socket, const WindowStatistics& window);

}  // namespace tcpscope
