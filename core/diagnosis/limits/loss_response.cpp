#include "core/diagnosis/limits/loss_response.h"

#include <algorithm>
#include <array>

namespace tcpscope {

bool slowsDownForLoss(std::string_view congestionControl) {
  constexpr std::array<std::string_view, 3> kLossBased = {"reno", "cubic", "highspeed"};
  return std::find(kLossBased.begin(), kLossBased.end(), congestionControl) != kLossBased.end();
}

bool sendsOnThroughLoss(std::string_view congestionControl) {
  return congestionControl.starts_with("bbr");
}

}  // namespace tcpscope
