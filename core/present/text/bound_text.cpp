#include "core/present/text/bound_text.h"

#include "core/present/text/sentences.h"

namespace tcpscope {

std::string_view title(BoundModel model) {
  switch (model) {
    case BoundModel::receiverWindow:
      return "Receiver's window per round trip";
    case BoundModel::congestionWindow:
      return "Congestion window per round trip";
    case BoundModel::sendBuffer:
      return "Send buffer per round trip";
    case BoundModel::windowScale:
      return "Largest window that the window scale allows, per round trip";
    case BoundModel::pacing:
      return "Pacing limit set by the program";
    case BoundModel::mathis:
      return "Loss and round-trip time (Mathis model)";
    case BoundModel::pftk:
      return "Loss, timeouts and round-trip time (PFTK model, RFC 5348)";
    case BoundModel::cubic:
      return "Loss and round-trip time (CUBIC, RFC 9438)";
    case BoundModel::highspeed:
      return "Loss and round-trip time (HighSpeed TCP, RFC 3649)";
    case BoundModel::bbr:
      break;
  }
  return "What BBR takes the path to carry";
}

std::string sentence(WhyNoBound why) {
  switch (why) {
    case WhyNoBound::none:
      return "";
    case WhyNoBound::notReported:
      return "What it needs was not reported.";
    case WhyNoBound::noRttYet:
      return "No round-trip time has been measured yet.";
    case WhyNoBound::windowClosed:
      return "The window was closed all the time: the program that should read decides, not the round trip.";
    case WhyNoBound::noLossSeen:
      return "No loss was seen. That does not make the bound infinite: it is at least this rate, as far as so many "
             "packets can tell (rule of three, 95 %).";
    case WhyNoBound::notLossBased:
      return "Loss is not what steers this congestion control, so that the model says nothing about it.";
    case WhyNoBound::congestionControlUnknown:
      return "Which congestion control the sender uses does not show; this is what loss allows one of the Reno kind.";
    case WhyNoBound::tooMuchLoss:
      return "More than 2 % of the packets start a loss event: timeouts rule then, and the model promises too much.";
    case WhyNoBound::timeouts:
      return "Retransmission timeouts happened; the model knows none.";
    case WhyNoBound::notNetworkLimited:
      return "Something else than the path held the connection back, so that its losses did not set the rate.";
    case WhyNoBound::tooFewLossEvents:
      return "Too few losses were seen to take a mean; watch longer.";
    case WhyNoBound::samplesTooFarApart:
      return "Nearly every sample saw a loss, so that the losses cannot be counted; sample more often.";
    case WhyNoBound::unlimited:
      return "No such limit is set.";
    case WhyNoBound::onlyDelivered:
      break;
  }
  return "BBR's own figures are not reported; this is the rate that was delivered lately. The path may carry more.";
}

bool tellsRate(const Bound& bound) {
  const bool isExplained = bound.whyNot == WhyNoBound::noLossSeen || bound.whyNot == WhyNoBound::onlyDelivered ||
                           bound.whyNot == WhyNoBound::congestionControlUnknown;
  return bound.rate && (bound.applies || isExplained);
}

std::string noteOf(const Bound& bound) {
  if (tellsRate(bound)) return sentence(bound.whyNot);
  switch (bound.whyNot) {
    case WhyNoBound::congestionControlUnknown:
      return "Which congestion control the sender uses does not show.";
    case WhyNoBound::onlyDelivered:
      return "BBR's own figures are not reported.";
    case WhyNoBound::noLossSeen:
      return "No loss was seen.";
    default:
      return sentence(bound.whyNot);
  }
}

}  // namespace tcpscope
