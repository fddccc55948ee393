#include "core/diagnosis/limits/loss_response.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tcpscope {

bool slowsDownForLoss(std::string_view congestionControl) {
  constexpr std::array<std::string_view, 2> kLossBased = {"reno", "cubic"};
  return std::find(kLossBased.begin(), kLossBased.end(), congestionControl) != kLossBased.end() ||
         growsAsHighSpeed(congestionControl);
}

bool growsAsHighSpeed(std::string_view congestionControl) {
  constexpr std::array<std::string_view, 4> kHighSpeed = {"highspeed", "hstcp", "ghstcp_orig", "ghstcp"};
  return std::find(kHighSpeed.begin(), kHighSpeed.end(), congestionControl) != kHighSpeed.end();
}

double cubicWindow(double rttSeconds, double lossEventsPerPacket) {
  constexpr double kBeta = 0.7;
  constexpr double kScale = 0.4;
  constexpr double kReno = 1.2;
  const double factor = std::pow(kScale * (3.0 + kBeta) / (4.0 * (1.0 - kBeta)), 0.25);
  const double cubic = factor * std::pow(rttSeconds / lossEventsPerPacket, 0.75);
  return std::max(cubic, kReno / std::sqrt(lossEventsPerPacket));
}

bool ignoresLoss(std::string_view congestionControl) {
  return congestionControl.starts_with("bbr");
}

}  // namespace tcpscope
