#include "core/present/text/bound_text.h"

#include "core/present/text/sentences.h"

namespace tcpscope {

std::string_view title(BoundModel model) {
  switch (model) {
    case BoundModel::receiverWindow:
      return "Receive window per RTT";
    case BoundModel::congestionWindow:
      return "Congestion window per RTT";
    case BoundModel::sendBuffer:
      return "Send buffer per RTT";
    case BoundModel::windowScale:
      return "Maximum window for the window scale, per RTT";
    case BoundModel::pacing:
      return "Pacing limit (SO_MAX_PACING_RATE)";
    case BoundModel::mathis:
      return "Loss and RTT (Mathis model)";
    case BoundModel::pftk:
      return "Loss, timeouts and RTT (PFTK model, RFC 5348)";
    case BoundModel::cubic:
      return "Loss and RTT (CUBIC, RFC 9438)";
    case BoundModel::highspeed:
      return "Loss and RTT (HighSpeed TCP, RFC 3649)";
    case BoundModel::bbr:
      break;
  }
  return "BBR bandwidth estimate";
}

std::string sentence(WhyNoBound why) {
  switch (why) {
    case WhyNoBound::none:
      return "";
    case WhyNoBound::notReported:
      return "A figure that it needs was not reported.";
    case WhyNoBound::noRttYet:
      return "No RTT has been measured yet.";
    case WhyNoBound::windowClosed:
      return "The receive window was zero all the time: the receiving application sets the rate, not the RTT.";
    case WhyNoBound::noLossSeen:
      return "No loss was seen. The bound is not infinite for that: it is at least this rate, given the number of "
             "packets (rule of three, 95 %).";
    case WhyNoBound::notLossBased:
      return "This congestion control is not loss-based; the model does not apply.";
    case WhyNoBound::congestionControlUnknown:
      return "The sender's congestion control is unknown; this is what loss allows Reno.";
    case WhyNoBound::tooMuchLoss:
      return "More than 2 % of the packets start a loss event: timeouts dominate, and the model overestimates the "
             "rate.";
    case WhyNoBound::timeouts:
      return "Retransmission timeouts occurred, which the model does not cover.";
    case WhyNoBound::notNetworkLimited:
      return "The connection was not limited by the network, so its losses did not set the rate.";
    case WhyNoBound::tooFewLossEvents:
      return "Too few losses for a mean; observe longer.";
    case WhyNoBound::samplesTooFarApart:
      return "Nearly every sample saw a loss, so the losses cannot be counted; sample more often.";
    case WhyNoBound::unlimited:
      return "No such limit is set.";
    case WhyNoBound::onlyDelivered:
      break;
  }
  return "BBR's own figures are not reported; this is the recent delivery rate. The path may carry more.";
}

bool hasRate(const Bound& bound) {
  const bool isExplained = bound.whyNot == WhyNoBound::noLossSeen || bound.whyNot == WhyNoBound::onlyDelivered ||
                           bound.whyNot == WhyNoBound::congestionControlUnknown;
  return bound.rate && (bound.applies || isExplained);
}

std::string noteOf(const Bound& bound) {
  if (hasRate(bound)) return sentence(bound.whyNot);
  switch (bound.whyNot) {
    case WhyNoBound::congestionControlUnknown:
      return "The sender's congestion control is unknown.";
    case WhyNoBound::onlyDelivered:
      return "BBR's own figures are not reported.";
    case WhyNoBound::noLossSeen:
      return "No loss was seen.";
    default:
      return sentence(bound.whyNot);
  }
}

}  // namespace tcpscope
