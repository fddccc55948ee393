// Verdicts, limits and bounds in words.
#include <fmt/format.h>

#include "core/diagnosis/evidence/cause.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/exchange_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// What limits, for the sentence, and why in brackets; no cause where it is not known.
struct Words {
  std::string_view what;
  std::string_view cause;
};

Words receiverWords(Cause cause, Side side) {
  if (side == Side::receiving) {
    if (cause == Cause::bufferLocked) return {"the local receive buffer", "set with SO_RCVBUF"};
    if (cause == Cause::windowScale) return {"the local receive window", "window scale given in the handshake"};
    if (cause == Cause::windowClamp) return {"the local receive window", "TCP_WINDOW_CLAMP, or a route with window"};
    return {"the local receive buffer", ""};
  }
  switch (cause) {
    case Cause::slowReader:
      return {"the receive window", "the receiving application reads slowly"};
    case Cause::windowScale:
      return {"the receive window", "as large as its window scale allows"};
    case Cause::bufferLimit:
    case Cause::bufferLocked:
      return {"the receive window", "peer's receive buffer too small"};
    default:
      return {"the receive window", ""};
  }
}

Words networkWords(Cause cause) {
  if (cause == Cause::unknown) return {"the network", ""};
  if (cause == Cause::cwndClamp) return {"the congestion window", rowOf(cause).phrase};
  return {cause == Cause::pacing ? "pacing" : "the network", rowOf(cause).phrase};
}

/// A capture shows the sender's limits, from whichever end it was taken.
Words applicationWords(Cause cause) {
  switch (cause) {
    case Cause::slowReader:
      return {"the receiving application", "it reads slowly"};
    case Cause::nagle:
      return {"Nagle's algorithm", "small writes wait for acknowledgments"};
    case Cause::applicationWindow:
      return {"the application's protocol", "a window of its own"};
    default:
      return {"the sending application", "it provides no data"};
  }
}

std::string applicationBrief(const Verdict& verdict) {
  if (verdict.exchanges) return fmt::format("Application ({})", slowestShare(*verdict.exchanges));
  switch (verdict.cause) {
    case Cause::slowReader:
      return "Application (slow reader)";
    case Cause::nagle:
      return "Application (Nagle)";
    case Cause::applicationWindow:
      return "Application (its own window)";
    default:
      return "Application (no data)";
  }
}

std::string_view openingBrief(Cause cause) {
  if (cause == Cause::noResponse) return "Opening: no answer";
  return cause == Cause::refused ? "Refused" : "Opening";
}

std::string_view stalledBrief(Cause cause) {
  return cause == Cause::slowReader ? "Stalled: window closed" : "Stalled: no response";
}

Words writerWords(const Verdict& verdict) {
  if (!verdict.exchanges) return applicationWords(verdict.cause);
  return {slowPartWords(*verdict.exchanges), "requests and responses alternate"};
}

/// " for 7.1 s"
std::string lasting(const Verdict& verdict, std::string_view key) {
  const Evidence* time = figureOf(verdict.evidence, key);
  return time != nullptr ? " for " + formatTime(time->value) : std::string();
}

std::string openingSentence(const Verdict& verdict) {
  switch (verdict.cause) {
    case Cause::noResponse:
      return fmt::format("Opening: the peer has not answered{}.", lasting(verdict, "opening_s"));
    case Cause::refused:
      return "Not opened: the peer refused the connection (RST).";
    default:
      return "Opening: waiting for the peer's first answer.";
  }
}

std::string stalledSentence(const Verdict& verdict) {
  if (verdict.cause == Cause::slowReader) {
    return fmt::format("Stalled: the peer's receive window has been closed{}; its application does not read.",
                       lasting(verdict, "window_closed_s"));
  }
  return fmt::format("Stalled: the peer has acknowledged nothing{}.", lasting(verdict, "unacknowledged_s"));
}

/// Timeouts are how it shows that large packets do not pass.
std::string_view timeoutCause(Cause cause) {
  if (cause == Cause::mtu) return rowOf(cause).phrase;
  return cause == Cause::unknown ? "retransmission timeouts" : "losses force retransmission timeouts";
}

Words wordsOf(const Verdict& verdict, Side side) {
  switch (verdict.limit) {
    case Limit::receiver:
      return receiverWords(verdict.cause, side);
    case Limit::sendBuffer:
      return {"the send buffer", verdict.cause == Cause::bufferLocked ? "set with SO_SNDBUF" : ""};
    case Limit::network:
      return networkWords(verdict.cause);
    case Limit::recovery:
      return {"the network", "loss recovery takes much of the time"};
    case Limit::timeout:
      return {"the network", timeoutCause(verdict.cause)};
    case Limit::application:
      return verdict.cause == Cause::slowWriter ? writerWords(verdict) : applicationWords(verdict.cause);
    case Limit::idle:
    case Limit::unknown:
    case Limit::opening:
    case Limit::stalled:
      break;
  }
  return {};
}

std::string_view receiverBrief(Cause cause, Side side) {
  if (side == Side::receiving) {
    if (cause == Cause::bufferLocked) return "Receive buffer (SO_RCVBUF)";
    if (cause == Cause::windowClamp) return "Local receive window (clamp)";
    return cause == Cause::windowScale ? "Local receive window (scale)" : "Local receive buffer";
  }
  switch (cause) {
    case Cause::slowReader:
      return "Receive window (slow reader)";
    case Cause::windowScale:
      return "Receive window (window scale)";
    case Cause::bufferLimit:
    case Cause::bufferLocked:
      return "Receive window (small buffer)";
    default:
      return "Receive window";
  }
}

std::string briefly(const Verdict& verdict, Side side) {
  switch (verdict.limit) {
    case Limit::receiver:
      return std::string(receiverBrief(verdict.cause, side));
    case Limit::sendBuffer:
      return verdict.cause == Cause::bufferLocked ? "Send buffer (SO_SNDBUF)" : "Send buffer (sndbuf)";
    case Limit::network:
      return std::string(rowOf(verdict.cause).brief);
    case Limit::recovery:
      return "Network (loss recovery)";
    case Limit::timeout:
      return verdict.cause == Cause::mtu ? std::string(rowOf(verdict.cause).brief) : "Network (RTO)";
    case Limit::application:
      return applicationBrief(verdict);
    case Limit::idle:
      return "Idle";
    case Limit::opening:
      return std::string(openingBrief(verdict.cause));
    case Limit::stalled:
      return std::string(stalledBrief(verdict.cause));
    case Limit::unknown:
      break;
  }
  return "Unknown";
}

bool isLimited(const Verdict& verdict) {
  return verdict.limit != Limit::idle && verdict.limit != Limit::unknown;
}

bool isInDoubt(const Verdict& verdict) {
  return verdict.confidenceRatio < kConfident;
}

std::string listed(const std::vector<Limit>& candidates) {
  std::string list;
  for (std::size_t index = 0; index < candidates.size(); ++index) {
    if (index > 0) list += index + 1 == candidates.size() ? " or " : ", ";
    list += shortName(candidates[index]);
  }
  return list;
}

/// "12.0 of 94.0 Mbit/s": one unit where both have the same.
std::string rates(BitsPerSecond measured, BitsPerSecond possible) {
  const std::string first = formatRate(measured);
  const std::string second = formatRate(possible);
  const std::size_t unit = first.find(' ');
  const bool sameUnit = unit != std::string::npos && second.ends_with(first.substr(unit));
  return fmt::format("{} of {}", sameUnit ? first.substr(0, unit) : first, second);
}

}  // namespace

std::string sentence(const Verdict& verdict, Side side) {
  if (verdict.limit == Limit::idle) {
    const bool moves = verdict.goodput && verdict.goodput->value() > 0.0;
    return moves ? "Idle most of the time: there was seldom data to send."
                 : "Idle: hardly any data moves in this direction.";
  }
  if (verdict.limit == Limit::opening) return openingSentence(verdict);
  if (verdict.limit == Limit::stalled) return stalledSentence(verdict);
  std::string text;
  if (isLimited(verdict)) {
    const Words words = wordsOf(verdict, side);
    text = fmt::format("{} by {}", isInDoubt(verdict) ? "Likely limited" : "Limited", words.what);
    if (!words.cause.empty()) text += fmt::format(" ({})", words.cause);
  } else {
    text = side == Side::receiving ? "Limit unknown at the receiver" : "Limit unknown";
    if (!verdict.candidates.empty()) text += fmt::format("; candidates: {}", listed(verdict.candidates));
  }
  if (verdict.goodput) text += " — " + formatRate(*verdict.goodput);
  if (verdict.next) {
    const bool isPath = verdict.next->method == NextLimitMethod::ackDispersion;
    text += (isPath ? "; the path carries about " : "; next limit ") + formatRate(verdict.next->rate);
  }
  return text + ".";
}

std::string phrase(const LimitStretch& stretch, Moment start) {
  std::string text(stretch.pathWasFull ? "bottleneck saturated" : shortName(stretch.limit));
  if (stretch.limit == Limit::unknown && !stretch.candidates.empty()) text = listed(stretch.candidates);
  return fmt::format("{} to {}", text, formatTime(toSeconds(stretch.to - start)));
}

std::string brief(const Verdict& verdict, Side side) {
  std::string text = briefly(verdict, side);
  if (!isLimited(verdict)) return text;
  if (isInDoubt(verdict)) text += '?';
  if (verdict.goodput && verdict.next) {
    text += (isInDoubt(verdict) ? " " : ": ") + rates(*verdict.goodput, verdict.next->rate);
  }
  return text;
}

std::string_view shortName(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return "receive window";
    case Limit::sendBuffer:
      return "send buffer";
    case Limit::network:
      return "network";
    case Limit::recovery:
      return "loss recovery";
    case Limit::timeout:
      return "timeouts";
    case Limit::application:
      return "application";
    case Limit::idle:
      return "idle";
    case Limit::opening:
      return "opening";
    case Limit::stalled:
      return "stalled";
    case Limit::unknown:
      break;
  }
  return "unknown";
}

std::string_view explanation(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return "Receive-window limited: the sender had data, but the receiver's advertised window (rwnd) did not allow "
             "it "
             "to send. At the sender this is the kernel's rwnd_limited time; at the receiver, the time in which the "
             "window was exhausted while the application read without delay.";
    case Limit::sendBuffer:
      return "Send-buffer limited: the application had more to write, but the send buffer was full of data that was "
             "not yet acknowledged. This is the kernel's sndbuf_limited time, which misses a part, plus the time in "
             "which the buffer was full although neither window was.";
    case Limit::network:
      return "Data was in flight, or waited for the congestion window or for pacing: the path sets the rate. This is "
             "what remains of the kernel's busy time after all other limits.";
    case Limit::recovery:
      return "Fast recovery: the sender retransmitted lost data after duplicate acknowledgments. Taken from the CA "
             "state (tcpi_ca_state) of each sample.";
    case Limit::timeout:
      return "The sender waited for a retransmission timeout (RTO) or recovered from one. This is the kernel's "
             "total_rto_time (Linux 6.7 and later); before that, the CA state of each sample.";
    case Limit::application:
      return "Application-limited: the sending application provided no data although it had sent before or, on the "
             "receiving side, the receiving application did not read what had arrived. Time that was not busy between "
             "transfers, and busy time in which the window was open and nothing was queued.";
    case Limit::idle:
      return "No data moved in this direction.";
    case Limit::opening:
      return "The handshake is not complete: the SYN, or at the passive end the SYN-ACK, waits for an answer.";
    case Limit::stalled:
      return "Stalled: data or probes were retransmitted several times and nothing was acknowledged, or the "
             "peer's receive window stays closed. Taken from the socket's timer, its retransmissions and the age of "
             "the "
             "last acknowledgment.";
    case Limit::unknown:
      break;
  }
  return "The limit is unknown: the kernel reports too little, or only the peer can show it.";
}

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
    case WhyNoBound::pathRttUnknown:
      return "The capture shows the RTT from its vantage point to one end, not that of the whole path.";
    case WhyNoBound::windowClosed:
      return "The receive window was zero all the time: the receiving application sets the rate, not the RTT.";
    case WhyNoBound::noLossSeen:
      return "No loss was seen. The bound is not infinite for that: it is at least this rate, given the number of "
             "packets (rule of three, 95 %).";
    case WhyNoBound::notLossBased:
      return "This congestion control is not loss-based; the model does not apply.";
    case WhyNoBound::congestionControlUnknown:
      return "The sender's congestion control is unknown; this is what loss allows one that the model fits.";
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
