#include <fmt/format.h>

#include "core/diagnosis/evidence/cause_table.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

std::string_view receiverLimit(Cause cause, Side side) {
  if (side == Side::receiving) {
    if (cause == Cause::bufferLocked) return "Held back by the receive buffer here, whose size the program fixed";
    if (cause == Cause::windowScale)
      return "Held back by the window scale that this end gave when the connection began";
    return "Held back by the receive buffer here";
  }
  switch (cause) {
    case Cause::slowReader:
      return "Held back by the receiver's window: the program at the other end reads too slowly";
    case Cause::windowScale:
      return "Held back by the receiver's window, which is as large as its window scale allows";
    case Cause::bufferLimit:
    case Cause::bufferLocked:
      return "Held back by the receiver's window: the receive buffer at the other end is too small";
    default:
      return "Held back by the receiver's window";
  }
}

std::string networkLimit(Cause cause) {
  if (cause == Cause::pacing) return "Held back by the pacing limit that the program set";
  if (cause == Cause::unknown) return "Held back by the network";
  return fmt::format("Held back by the network: {}", kCauses.at(static_cast<std::size_t>(cause)).phrase);
}

/// A capture tells of the sender, from whichever end it was taken.
bool isReader(const Verdict& verdict) {
  return verdict.cause == Cause::slowReader;
}

std::string what(const Verdict& verdict, Side side) {
  switch (verdict.limit) {
    case Limit::receiver:
      return std::string(receiverLimit(verdict.cause, side));
    case Limit::sendBuffer:
      return verdict.cause == Cause::bufferLocked ? "Held back by the send buffer, whose size the program fixed"
                                                  : "Held back by the send buffer";
    case Limit::network:
      return networkLimit(verdict.cause);
    case Limit::recovery:
      return "Held back by the network: much of the time goes into sending lost packets again";
    case Limit::timeout:
      return "Held back by the network: so much is lost that the sender waits for timeouts";
    case Limit::application:
      return isReader(verdict) ? "Held back by the program here, which reads too slowly"
                               : "Held back by the sending program, which does not send more";
    case Limit::idle:
      return "Idle: no data moves in this direction";
    case Limit::unknown:
      break;
  }
  return "What holds it back cannot be told";
}

std::string_view receiverBrief(Cause cause, Side side) {
  if (side == Side::receiving) {
    if (cause == Cause::bufferLocked) return "Receive buffer here, fixed";
    return cause == Cause::windowScale ? "Receive window here, its scale" : "Receive buffer here";
  }
  switch (cause) {
    case Cause::slowReader:
      return "Receiver's window, slow reader";
    case Cause::windowScale:
      return "Receiver's window, its scale";
    case Cause::bufferLimit:
    case Cause::bufferLocked:
      return "Receiver's window, small buffer";
    default:
      return "Receiver's window";
  }
}

std::string_view networkBrief(Cause cause) {
  switch (cause) {
    case Cause::loss:
      return "Network, loss";
    case Cause::queue:
      return "Network, queue on the path";
    case Cause::reordering:
      return "Network, reordering";
    case Cause::ecn:
      return "Network, congestion marks";
    case Cause::pacing:
      return "Pacing limit of the program";
    case Cause::policer:
      return "Network, policer";
    case Cause::mtu:
      return "Network, packet size";
    case Cause::pathFull:
      return "Network, path full";
    default:
      return "Network";
  }
}

std::string_view briefly(const Verdict& verdict, Side side) {
  switch (verdict.limit) {
    case Limit::receiver:
      return receiverBrief(verdict.cause, side);
    case Limit::sendBuffer:
      return verdict.cause == Cause::bufferLocked ? "Send buffer, fixed" : "Send buffer";
    case Limit::network:
      return networkBrief(verdict.cause);
    case Limit::recovery:
      return "Network, loss recovery";
    case Limit::timeout:
      return "Network, timeouts";
    case Limit::application:
      return isReader(verdict) ? "Program reads too slowly" : "Program sends no more";
    case Limit::idle:
      return "Idle";
    case Limit::unknown:
      break;
  }
  return "Cannot be told";
}

bool isHeldBack(const Verdict& verdict) {
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

/// "12.0 of a possible 94.0 Mbit/s": the unit is said once where both have it.
std::string rates(BitsPerSecond measured, std::string_view of, BitsPerSecond possible) {
  const std::string first = formatRate(measured);
  const std::string second = formatRate(possible);
  const std::size_t unit = first.find(' ');
  const bool sameUnit = unit != std::string::npos && second.ends_with(first.substr(unit));
  return fmt::format("{} {} {}", sameUnit ? first.substr(0, unit) : first, of, second);
}

}  // namespace

std::string sentence(const Verdict& verdict, Side side) {
  std::string text = what(verdict, side);
  if (isHeldBack(verdict) && isInDoubt(verdict)) text.replace(0, 1, "Probably h");
  if (verdict.limit == Limit::unknown && !verdict.candidates.empty()) {
    text += side == Side::receiving ? " from the receiving end; at the sender it may be: " : "; it may be: ";
    text += listed(verdict.candidates);
  }
  if (verdict.goodput && verdict.limit != Limit::idle) {
    text += ": " + (verdict.possible ? rates(*verdict.goodput, "of a possible", *verdict.possible)
                                     : formatRate(*verdict.goodput));
  }
  return text + ".";
}

std::string phrase(const LimitStretch& stretch, Moment start) {
  std::string text(stretch.pathWasFull ? "path full" : shortName(stretch.limit));
  if (stretch.limit == Limit::unknown && !stretch.candidates.empty()) text = listed(stretch.candidates);
  return fmt::format("{} to {}", text, formatTime(toSeconds(stretch.to - start)));
}

std::string brief(const Verdict& verdict, Side side) {
  std::string text(briefly(verdict, side));
  if (!isHeldBack(verdict)) return text;
  if (isInDoubt(verdict)) text += '?';
  if (verdict.goodput && verdict.possible) {
    text += (isInDoubt(verdict) ? " " : ": ") + rates(*verdict.goodput, "of", *verdict.possible);
  }
  return text;
}

}  // namespace tcpscope
