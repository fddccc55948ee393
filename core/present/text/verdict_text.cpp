#include <fmt/format.h>

#include "core/diagnosis/evidence/cause.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

/// What limits, for the sentence, and why in brackets; no cause where it is not known.
struct Words {
  std::string_view what;
  std::string_view cause;
};

Words receiverWords(Cause cause, Side side) {
  if (side == Side::receiving) {
    if (cause == Cause::bufferLocked) return {"the own receive buffer", "set with SO_RCVBUF"};
    if (cause == Cause::windowScale) return {"the own receive window", "window scale given in the handshake"};
    return {"the own receive buffer", ""};
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
  return {cause == Cause::pacing ? "pacing" : "the network", rowOf(cause).phrase};
}

/// A capture shows the sender's limits, from whichever end it was taken.
bool isReader(const Verdict& verdict) {
  return verdict.cause == Cause::slowReader;
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
      return {"the network", "losses force retransmission timeouts"};
    case Limit::application:
      return isReader(verdict) ? Words{"the receiving application", "it reads slowly"}
                               : Words{"the sending application", "it provides no data"};
    case Limit::idle:
    case Limit::unknown:
      break;
  }
  return {};
}

std::string_view receiverBrief(Cause cause, Side side) {
  if (side == Side::receiving) {
    if (cause == Cause::bufferLocked) return "Own receive buffer (SO_RCVBUF)";
    return cause == Cause::windowScale ? "Own receive window (scale)" : "Own receive buffer";
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

std::string_view briefly(const Verdict& verdict, Side side) {
  switch (verdict.limit) {
    case Limit::receiver:
      return receiverBrief(verdict.cause, side);
    case Limit::sendBuffer:
      return verdict.cause == Cause::bufferLocked ? "Send buffer (SO_SNDBUF)" : "Send buffer (sndbuf)";
    case Limit::network:
      return rowOf(verdict.cause).brief;
    case Limit::recovery:
      return "Network (loss recovery)";
    case Limit::timeout:
      return "Network (RTO)";
    case Limit::application:
      return isReader(verdict) ? "Application (slow reader)" : "Application (no data)";
    case Limit::idle:
      return "Idle";
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
  if (verdict.limit == Limit::idle) return "Idle: no data moves in this direction.";
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
  if (verdict.possible) text += "; next limit " + formatRate(*verdict.possible);
  return text + ".";
}

std::string phrase(const LimitStretch& stretch, Moment start) {
  std::string text(stretch.pathWasFull ? "bottleneck saturated" : shortName(stretch.limit));
  if (stretch.limit == Limit::unknown && !stretch.candidates.empty()) text = listed(stretch.candidates);
  return fmt::format("{} to {}", text, formatTime(toSeconds(stretch.to - start)));
}

std::string brief(const Verdict& verdict, Side side) {
  std::string text(briefly(verdict, side));
  if (!isLimited(verdict)) return text;
  if (isInDoubt(verdict)) text += '?';
  if (verdict.goodput && verdict.possible) {
    text += (isInDoubt(verdict) ? " " : ": ") + rates(*verdict.goodput, *verdict.possible);
  }
  return text;
}

}  // namespace tcpscope
