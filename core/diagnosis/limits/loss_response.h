// What congestion controls do at a loss: reduce their window, as the models of loss assume (Mathis, PFTK, CUBIC), or
// not.
#pragma once

#include <string_view>

namespace tcpscope {

/// False for BBR, DCTCP, Vegas and every name that is not known.
bool slowsDownForLoss(std::string_view congestionControl);

/// HighSpeed TCP (the kernel's module, and the program that tcpscope loads), and gentle HighSpeed TCP, which never
/// grows faster: the response function of the one bounds the other.
bool growsAsHighSpeed(std::string_view congestionControl);

/// Average window of CUBIC in segments where `lossEventsPerPacket` is lost (RFC 9438 §5.1, beta 0.7, C 0.4); both must
/// be above zero. AVG_W = (C * (3 + beta) / (4 * (1 - beta)))^(1/4) * (RTT / p)^(3/4), and never below what it
/// estimates for Reno, 1.2 / sqrt(p): on short paths it goes with that one.
double cubicWindow(double rttSeconds, double lossEventsPerPacket);

/// True for the versions of BBR alone: they take their rate from what is delivered, so that they repair losses without
/// sending more slowly. False for every name that is not known.
bool ignoresLoss(std::string_view congestionControl);

/// Share of the data segments that such a control may lose without becoming slower than the path: measured with BBR on
/// Linux 6.18, 88 to 93 % of the path at 10 % and less, 22 % at 15 %.
inline constexpr double kMostLossSentThrough = 0.1;

}  // namespace tcpscope
