#include "core/present/text/target_text.h"

#include <fmt/format.h>

#include <vector>

#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

std::string windowText(const TargetPartCheck& check) {
  const std::string needs = formatBytes(check.needs);
  const std::string has = check.has ? formatBytes(*check.has) : std::string();
  switch (check.outcome) {
    case TargetOutcome::passes:
      return fmt::format("the receive window holds the {} that have to be under way", needs);
    case TargetOutcome::fails:
      return fmt::format("the receive window holds {} of the {} that have to be under way", has, needs);
    case TargetOutcome::unknown:
      break;
  }
  if (!check.has) return "the receive window does not show";
  return fmt::format("{} have to be under way, and whether the receive window grows to that does not show ({} so far)",
                     needs, has);
}

std::string sendBufferText(const TargetPartCheck& check) {
  const std::string has = check.has ? formatBytes(*check.has) : std::string();
  switch (check.outcome) {
    case TargetOutcome::passes:
      return fmt::format("the send buffer holds as much, or may grow to it ({})", has);
    case TargetOutcome::fails:
      return fmt::format("the send buffer holds {} of {} at most", has, formatBytes(check.needs));
    case TargetOutcome::unknown:
      break;
  }
  return "how large the send buffer may grow is not known";
}

std::string lossText(const TargetPartCheck& check) {
  switch (check.outcome) {
    case TargetOutcome::passes:
      return "losses stay within what it can stand";
    case TargetOutcome::fails:
      return fmt::format("one packet in {:.0f} begins a loss, and one in {:.0f} may", 1.0 / *check.has,
                         1.0 / check.needs);
    case TargetOutcome::unknown:
      break;
  }
  return fmt::format("one packet in {:.0f} may begin a loss, and too little was seen to know whether more do",
                     1.0 / check.needs);
}

std::string pathText(const TargetPartCheck& check) {
  return check.outcome == TargetOutcome::passes
             ? std::string("the path carries it now")
             : fmt::format("the path is full at {}", formatRate(BitsPerSecond(check.has.value_or(0.0))));
}

std::string partText(const TargetPartCheck& check) {
  switch (check.part) {
    case TargetPart::receiveWindow:
      return windowText(check);
    case TargetPart::sendBuffer:
      return sendBufferText(check);
    case TargetPart::loss:
      return lossText(check);
    case TargetPart::path:
      break;
  }
  return pathText(check);
}

std::string_view outcomeText(TargetOutcome outcome) {
  switch (outcome) {
    case TargetOutcome::passes:
      return "would pass";
    case TargetOutcome::fails:
      return "would not pass";
    case TargetOutcome::unknown:
      break;
  }
  return "may pass or not";
}

}  // namespace

std::string sentence(const TargetCheck& target) {
  const TargetOutcome outcome = target.outcome();
  std::string text =
      fmt::format("{} over {} {}", formatRate(target.rate), formatTime(target.roundTripSeconds), outcomeText(outcome));
  std::string_view link = ": ";
  for (const TargetPartCheck& check : target.parts) {
    // What decides it, and no more: all of what passes, what fails, what is not known.
    if (check.outcome != outcome) continue;
    text += fmt::format("{}{}", link, partText(check));
    link = "; ";
  }
  return text + ".";
}

std::string metricsText(const TransferMetrics& metrics, std::optional<double> transferTimeRatio) {
  std::vector<std::string> parts;
  if (metrics.efficiencyRatio) parts.push_back(fmt::format("efficiency {:.2f} %", *metrics.efficiencyRatio * 100.0));
  if (metrics.bufferDelayRatio)
    parts.push_back(fmt::format("buffer delay {:.0f} %", *metrics.bufferDelayRatio * 100.0));
  if (transferTimeRatio) {
    parts.push_back(fmt::format("transfer time {:.2f} times that at the target rate", *transferTimeRatio));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace tcpscope
