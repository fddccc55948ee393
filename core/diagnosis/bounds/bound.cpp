#include "core/diagnosis/bounds/bound.h"

namespace tcpscope {

std::string_view name(BoundModel model) {
  switch (model) {
    case BoundModel::receiverWindow:
      return "receiver_window";
    case BoundModel::congestionWindow:
      return "congestion_window";
    case BoundModel::sendBuffer:
      return "send_buffer";
    case BoundModel::windowScale:
      return "window_scale";
    case BoundModel::pacing:
      return "pacing";
    case BoundModel::mathis:
      return "mathis";
    case BoundModel::pftk:
      return "pftk";
    case BoundModel::cubic:
      return "cubic";
    case BoundModel::highspeed:
      return "highspeed";
    case BoundModel::bbr:
      break;
  }
  return "bbr";
}

std::string_view name(WhyNoBound why) {
  switch (why) {
    case WhyNoBound::none:
      return "none";
    case WhyNoBound::notReported:
      return "not_reported";
    case WhyNoBound::noRttYet:
      return "no_rtt_yet";
    case WhyNoBound::pathRttUnknown:
      return "path_rtt_unknown";
    case WhyNoBound::windowClosed:
      return "window_closed";
    case WhyNoBound::noLossSeen:
      return "no_loss_seen";
    case WhyNoBound::notLossBased:
      return "not_loss_based";
    case WhyNoBound::congestionControlUnknown:
      return "congestion_control_unknown";
    case WhyNoBound::tooMuchLoss:
      return "too_much_loss";
    case WhyNoBound::timeouts:
      return "timeouts";
    case WhyNoBound::notNetworkLimited:
      return "not_network_limited";
    case WhyNoBound::tooFewLossEvents:
      return "too_few_loss_events";
    case WhyNoBound::samplesTooFarApart:
      return "samples_too_far_apart";
    case WhyNoBound::unlimited:
      return "unlimited";
    case WhyNoBound::onlyDelivered:
      break;
  }
  return "only_delivered";
}

}  // namespace tcpscope
