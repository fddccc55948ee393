#include "core/present/text/checkup_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/control/loadable_controls.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// Why the system did not count it.
std::string_view uncountedText(CheckId id) {
  return id == CheckId::smallWrites ? "too few write() calls for a result; send() is not counted"
                                    : "not counted: the threads started before kernel.task_delayacct = 1";
}

std::string_view reasonText(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::notPermitted:
      return "not reported: permission denied";
    case UnknownReason::notSupported:
      return "not reported: not supported here";
    case UnknownReason::counterReset:
      return "counter was reset meanwhile";
    case UnknownReason::ended:
      return "the process ended meanwhile";
    case UnknownReason::replaced:
      return "another process has this PID now";
    case UnknownReason::switchedOff:
      return "not counted: kernel.task_delayacct = 0";
    case UnknownReason::notAnswered:
      return "no answer";
    case UnknownReason::notCounted:
    case UnknownReason::notReported:
    case UnknownReason::count:
      break;
  }
  return "not reported";
}

/// For any sink that takes plain text.
std::string joined(const std::vector<UntrustedText>& names) {
  std::string text;
  for (const UntrustedText& name : names) {
    if (!text.empty()) text += ", ";
    text += forPlainText(name);
  }
  return text;
}

std::string offloadsText(const CheckRow& row) {
  return row.names.empty() ? "all on" : "off: " + joined(row.names);
}

std::string queueDisciplineText(const CheckRow& row) {
  std::string text = joined(row.names);
  if (row.most) text += fmt::format(", txqueuelen {}", *row.most);
  if (row.during && row.ever) text += fmt::format(": {} dropped now, {} in total", *row.during, *row.ever);
  if (row.used && row.used->value() > 0) {
    text += fmt::format(", {} waiting", formatBytes(static_cast<double>(row.used->value())));
  }
  if (row.count.value_or(0) > 0) text += fmt::format(", {} requeued", *row.count);
  return text;
}

std::string rememberedText(const CheckRow& row) {
  std::string text = fmt::format("{} of {} destinations below {} segments", row.count.value_or(0), row.most.value_or(0),
                                 kSmallThresholdSegments);
  if (!row.names.empty()) text += fmt::format(" ({} = 1)", joined(row.names));
  return text;
}

std::string groupMemoryText(const CheckRow& row) {
  std::string text = row.limit ? "" : "no limit";
  const auto bytes = [](std::uint64_t value) { return formatBytes(static_cast<double>(value)); };
  if (row.limit && row.used) text = fmt::format("{} of {}", bytes(row.used->value()), bytes(row.limit->value()));
  if (row.inSockets) text += fmt::format(", {} in sockets", bytes(row.inSockets->value()));
  if (row.during && row.ever) text += fmt::format(", at the limit {} times now, {} ever", *row.during, *row.ever);
  return text;
}

std::string tunnelText(const CheckRow& row) {
  std::string text = fmt::format("{}, {} bytes", joined(row.names), row.mtu ? row.mtu->value() : 0);
  if (row.lowerMtu) text += fmt::format(" over {}", row.lowerMtu->value());
  return text;
}

std::string routeSettingsText(const CheckRow& row) {
  const std::uint64_t count = row.count.value_or(0);
  if (count == 0) return fmt::format("none of {} routes", row.most.value_or(0));
  std::string text = joined(row.names);
  if (count > row.names.size()) text += fmt::format(", and {} more", count - row.names.size());
  return text;
}

std::string ringSizeText(const CheckRow& row) {
  std::string text = fmt::format("{} of {} slots", row.count.value_or(0), row.most.value_or(0));
  if (row.status == CheckStatus::warn) {
    text += fmt::format(": ethtool -G {} rx {}", forShell(row.object), row.most.value_or(0));
  }
  return text;
}

std::string interruptDelayText(const CheckRow& row) {
  const bool isNone = !row.delay || *row.delay == Microseconds(0);
  const std::string text = isNone ? std::string("none") : formatTime(toSeconds(*row.delay));
  return row.names.empty() ? text : joined(row.names) + ", now " + text;
}

std::string timeShareText(const CheckRow& row) {
  return row.timeRatio ? fmt::format("{} {} of the time", joined(row.names), formatRatio(*row.timeRatio))
                       : joined(row.names) + " in both samples";
}

std::string oneThreadText(const CheckRow& row) {
  return timeShareText(row) + fmt::format("; {} of {} threads busy", row.count.value_or(0), row.most.value_or(0));
}

std::string smallWritesText(const CheckRow& row) {
  return fmt::format("{} per call, {:.0f} calls per second", formatBytes(row.bytesACall.value_or(0)),
                     row.callsASecond.value_or(0));
}

std::string interruptSpreadText(const CheckRow& row) {
  const std::uint64_t busy = row.count.value_or(0);
  const std::uint64_t all = row.most.value_or(0);
  if (!row.ratio || !row.processor) return fmt::format("none of {} interrupts busy", all);
  std::string text =
      fmt::format("{} of {} interrupts busy, {} on CPU {}", busy, all, formatRatio(*row.ratio), *row.processor);
  if (row.timeRatio) text += fmt::format(" with {} softirq", formatRatio(*row.timeRatio));
  if (!row.names.empty()) text += "; affinity " + joined(row.names);
  return text;
}

std::string hopText(const PathHop& hop) {
  return hop.address ? hop.address->toString() : std::string("a silent hop");
}

std::string hopsText(const CheckRow& row) {
  if (row.hops.empty()) return std::string(reasonText(row.reason));
  const PathHop& last = row.hops.back();
  std::string text =
      row.status == CheckStatus::pass   ? fmt::format("{} {}", row.hops.size(), row.hops.size() == 1 ? "hop" : "hops")
      : row.status == CheckStatus::fail ? fmt::format("refused at hop {}, {}", row.hops.size(), hopText(last))
                                        : fmt::format("no answer behind hop {}, {}", row.hops.size(), hopText(last));
  if (last.rtt) text += fmt::format(", RTT {}", formatTime(toSeconds(*last.rtt)));
  if (row.longestStep) {
    text += fmt::format("; {} more behind {}", formatTime(toSeconds(row.longestStep->more)),
                        hopText(row.hops[row.longestStep->behind - 1]));
  }
  return text;
}

/// "cubic is the default; also reno, bbr; of tcpscope: hstcp, ghstcp".
std::string congestionControlsText(const CheckRow& row) {
  if (row.names.empty()) return {};
  std::vector<UntrustedText> ofTcpscope;
  std::vector<UntrustedText> others;
  for (std::size_t index = 1; index < row.names.size(); ++index) {
    (isLoadableControl(row.names[index].rawBytes()) ? ofTcpscope : others).push_back(row.names[index]);
  }
  std::string text = forPlainText(row.names.front()) + " is the default";
  if (!others.empty()) text += "; also " + joined(others);
  if (!ofTcpscope.empty()) text += "; loaded by tcpscope: " + joined(ofTcpscope);
  return text;
}

std::string pathMtuText(const CheckRow& row) {
  if (!row.mtu) return std::string(reasonText(row.reason));
  std::string text = fmt::format("{} bytes", row.mtu->value());
  if (row.status == CheckStatus::unknown) text = "at most " + text + ", as far as hops answered";
  if (!row.names.empty()) text += fmt::format(", reported by {}", joined(row.names));
  if (row.vanishing) text += fmt::format("; packets of {} bytes are lost silently", row.vanishing->value());
  if (row.lowerMtu) text += fmt::format("; {} on the outgoing interface", row.lowerMtu->value());
  return text;
}

}  // namespace

std::string hopList(const CheckRow& row) {
  std::string text = fmt::format("Hops to {}:", forPlainText(row.object));
  std::size_t number = 0;
  for (const PathHop& hop : row.hops) {
    text += fmt::format("\n{:>4}  {:<15}", ++number, hop.address ? hop.address->toString() : "*");
    if (hop.rtt) text += "  " + formatTime(toSeconds(*hop.rtt));
  }
  return text;
}

std::string finding(const CheckRow& row) {
  if (row.id == CheckId::hops) return hopsText(row);
  if (row.id == CheckId::pathMtu) return pathMtuText(row);
  if (row.status == CheckStatus::unknown) {
    return std::string(row.reason == UnknownReason::notCounted ? uncountedText(row.id) : reasonText(row.reason));
  }
  switch (row.id) {
    case CheckId::duplex:
      return row.status == CheckStatus::fail ? "half" : "full";
    case CheckId::oneProcessor:
      return row.ratio ? fmt::format("{:.0f} % on one CPU", *row.ratio * 100) : std::string("too little traffic");
    case CheckId::offloads:
      return offloadsText(row);
    case CheckId::largeReceive:
      return joined(row.names);
    case CheckId::queueDiscipline:
      return queueDisciplineText(row);
    case CheckId::rememberedThreshold:
      return rememberedText(row);
    case CheckId::groupMemory:
      return groupMemoryText(row);
    case CheckId::orphans:
      return row.count && row.most ? fmt::format("{} of {}", *row.count, *row.most) : std::string();
    case CheckId::congestionControls:
      return congestionControlsText(row);
    case CheckId::tunnel:
      return tunnelText(row);
    case CheckId::defaultRoute:
      return row.count.value_or(0) == 0 ? std::string("none") : fmt::format("{} found", *row.count);
    case CheckId::routeSettings:
      return routeSettingsText(row);
    case CheckId::otherTuners:
      return row.names.empty() ? "none found" : joined(row.names);
    case CheckId::ringSize:
      return ringSizeText(row);
    case CheckId::interruptDelay:
      return interruptDelayText(row);
    case CheckId::oneThread:
      return oneThreadText(row);
    case CheckId::processorWait:
    case CheckId::diskWait:
      return timeShareText(row);
    case CheckId::smallWrites:
      return smallWritesText(row);
    case CheckId::busNeighbours:
      return row.names.empty() ? std::string("no other device behind its bridge") : joined(row.names);
    case CheckId::interruptSpread:
      return interruptSpreadText(row);
    default:
      break;
  }
  if (row.mtu) return fmt::format("{} bytes", row.mtu->value());
  if (row.busRate && row.rate) return fmt::format("{} for {}", formatRate(*row.busRate), formatRate(*row.rate));
  if (row.busRate) return formatRate(*row.busRate);
  if (row.rate) return formatRate(*row.rate);
  if (row.during && row.ever) return fmt::format("{} now, {} since boot", *row.during, *row.ever);
  return "";
}

}  // namespace tcpscope
