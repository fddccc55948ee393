// Which congestion controls reduce their window at each loss, as the models of loss assume (Mathis, PFTK, CUBIC).
#pragma once

#include <string_view>

namespace tcpscope {

/// False for BBR, DCTCP, Vegas and every name that is not known.
bool slowsDownForLoss(std::string_view congestionControl);

}  // namespace tcpscope
