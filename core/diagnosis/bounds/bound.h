// An upper limit of the rate by one model, or the reason why the model does not apply.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/sample_summary.h"
#include "core/base/units.h"

namespace tcpscope {

enum class BoundModel : std::uint8_t {
  receiverWindow,
  congestionWindow,
  sendBuffer,
  windowScale,
  pacing,
  mathis,
  pftk,
  cubic,
  highspeed,
  bbr
};

std::string_view name(BoundModel model);

enum class WhyNoBound : std::uint8_t {
  none,
  /// The kernel reports too little.
  notReported,
  noRttYet,
  /// The capture shows the RTT from its place to one of the ends, not that of the whole path.
  pathRttUnknown,
  /// The window was closed all the time: the receiving application does not read, and no RTT bounds that.
  windowClosed,
  /// Mathis: no loss event was seen; the bound is at least the given rate (rule of three), never infinite.
  noLossSeen,
  /// Mathis: loss is not what steers this congestion control (BBR, DCTCP, …).
  notLossBased,
  /// Mathis: which congestion control it is does not show; the rate holds for one of the Reno kind.
  congestionControlUnknown,
  /// Mathis: above about 2 % loss events, timeouts rule.
  tooMuchLoss,
  timeouts,
  /// Mathis: the window or the application held the connection back, so that loss did not.
  notNetworkLimited,
  /// Mathis: too few loss events in the span for a mean.
  tooFewLossEvents,
  /// Mathis: nearly every sample saw a loss, so that the loss events cannot be counted; sample more often.
  samplesTooFarApart,
  unlimited,
  /// BBR: its own figures are not reported; the rate is what was delivered lately, no bound.
  onlyDelivered,
};

std::string_view name(WhyNoBound why);

struct Bound {
  BoundModel model = BoundModel::receiverWindow;
  /// Absent where it is not known; with whyNot == noLossSeen a lower limit of the bound.
  std::optional<BitsPerSecond> rate;
  bool applies = false;
  WhyNoBound whyNot = WhyNoBound::none;
  /// Models of loss: loss events per packet, and its 95 % confidence interval; with noLossSeen the largest likely one.
  std::optional<double> lossEventRatio{};
  std::optional<Interval> lossEventRatio95{};
};

/// Without a rate, for this reason.
constexpr Bound unknownBound(BoundModel model, WhyNoBound why) {
  return {model, std::nullopt, false, why};
}

}  // namespace tcpscope
