#include "core/present/text/target_text.h"

#include <fmt/format.h>

#include <vector>

#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string windowText(const TargetPartCheck& check) {
  const std::string needs = formatBytes(check.needs);
  const std::string has = check.has ? formatBytes(*check.has) : std::string();
  switch (check.outcome) {
    case TargetOutcome::passes:
      return fmt::format("the receive window covers the {} that have to be in flight", needs);
    case TargetOutcome::fails:
      return fmt::format("the receive window covers {} of the {} that have to be in flight", has, needs);
    case TargetOutcome::unknown:
      break;
  }
  if (!check.has) return "the receive window is unknown";
  return fmt::format("{} have to be in flight; whether the receive window can grow to that is unknown ({} so far)",
                     needs, has);
}

std::string sendBufferText(const TargetPartCheck& check) {
  const std::string has = check.has ? formatBytes(*check.has) : std::string();
  switch (check.outcome) {
    case TargetOutcome::passes:
      return fmt::format("the send buffer is large enough, or may grow to it ({})", has);
    case TargetOutcome::fails:
      return fmt::format("the send buffer holds at most {} of {}", has, formatBytes(check.needs));
    case TargetOutcome::unknown:
      break;
  }
  return "the maximum send buffer is unknown";
}

std::string lossText(const TargetPartCheck& check) {
  switch (check.outcome) {
    case TargetOutcome::passes:
      return "losses stay within the loss budget";
    case TargetOutcome::fails:
      return fmt::format("one packet in {:.0f} starts a loss event; the budget is one in {:.0f}", 1.0 / *check.has,
                         1.0 / check.needs);
    case TargetOutcome::unknown:
      break;
  }
  return fmt::format("the loss budget is one loss event in {:.0f} packets, and too few packets were seen to compare",
                     1.0 / check.needs);
}

std::string pathText(const TargetPartCheck& check) {
  return check.outcome == TargetOutcome::passes
             ? std::string("the path carries it now")
             : fmt::format("the bottleneck is saturated at {}", formatRate(BitsPerSecond(check.has.value_or(0.0))));
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
      fmt::format("{} over {} {}", formatRate(target.rate), formatTime(target.rttSeconds), outcomeText(outcome));
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
