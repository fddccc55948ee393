// What congestion controls do at a loss: reduce their window, as the models of loss assume (Mathis, PFTK, CUBIC), or
// not.
#pragma once

#include <string_view>

namespace tcpscope {

/// False for BBR, DCTCP, Vegas and every name that is not known.
bool slowsDownForLoss(std::string_view congestionControl);

/// True for the versions of BBR alone: they take their rate from what is delivered, so that they repair losses without
/// sending more slowly. False for every name that is not known.
bool sendsOnThroughLoss(std::string_view congestionControl);

}  // namespace tcpscope
