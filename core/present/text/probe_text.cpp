#include "core/present/text/probe_text.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/escape.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string reasonsOf(const std::vector<ProbeFault>& faults) {
  std::string text;
  for (const ProbeFault fault : faults) text += fmt::format("{}{}", text.empty() ? "" : "; ", reason(fault));
  return text;
}

std::string shareText(const ProbeAnalysis& analysis) {
  if (!analysis.withinRtt || !analysis.poissonWithinRtt) return {};
  return fmt::format(
      "{} of them are within one RTT of the previous one; of a Poisson process with the same rate {} would be",
      formatRatio(*analysis.withinRtt), formatRatio(*analysis.poissonWithinRtt));
}

std::string lossText(const ProbeAnalysis& analysis) {
  const std::string ratio = analysis.lossRatio ? formatRatio(*analysis.lossRatio) : std::string("?");
  return fmt::format("{} of the packets were lost", ratio);
}

std::string systemReason(const ProbeError& error) {
  return error.errorNumber == 0 ? std::string("the system gave no reason")
                                : std::generic_category().message(error.errorNumber);
}

}  // namespace

std::string sentence(const ProbeAnalysis& analysis) {
  switch (analysis.verdict) {
    case ProbeVerdict::rejected:
      return fmt::format("The measurement does not count: {}.", reasonsOf(analysis.faults));
    case ProbeVerdict::noLoss:
      return analysis.lossInterval95 ? fmt::format("No packet was lost: fewer than {} are (95 %).",
                                                   formatRatio(analysis.lossInterval95->high))
                                     : "No packet was lost.";
    case ProbeVerdict::tooFewLosses:
      return lossText(analysis) + ": too few to know whether in bursts; measure longer.";
    case ProbeVerdict::tooFewPackets:
      return lossText(analysis) + "; whether in bursts is not known: an RTT has fewer than 4 packets. Raise the rate.";
    case ProbeVerdict::rttUnknown:
      return lossText(analysis) +
             "; whether in bursts is not known: no packet came back, so that the RTT is not known.";
    case ProbeVerdict::bursts:
      return fmt::format("Losses come in bursts: {}.", shareText(analysis));
    case ProbeVerdict::independent:
      return fmt::format("Losses are independent of each other: {}.", shareText(analysis));
    case ProbeVerdict::undecided:
      return fmt::format("Whether losses come in bursts is not decided: {}. Measure longer.", shareText(analysis));
  }
  return {};
}

std::string_view reason(ProbeFault fault) {
  switch (fault) {
    case ProbeFault::nothingArrived:
      return "no packet arrived, as behind a firewall that drops UDP";
    case ProbeFault::senderLate:
      return "the sending host did not keep the rate";
    case ProbeFault::senderRefused:
      return "the sending host did not take all packets";
    case ProbeFault::receiverOverflowed:
      return "the receiving host lost packets that had arrived";
    case ProbeFault::countsDisagree:
      return "the counters of both ends disagree";
    case ProbeFault::clocksDisagree:
      return "the clocks of both ends disagree about how long it took";
    case ProbeFault::lossDependsOnSize:
      return "packets of one size were lost more often than those of the other, by their size or because the path "
             "changed meanwhile";
    case ProbeFault::patternDependsOnSize:
      return "packets of one size were lost in bursts, those of the other were not";
  }
  return "";
}

std::string sentence(const ProbeRunFigures& run) {
  const double ratio =
      run.sentPackets > 0 ? static_cast<double>(run.lostPackets) / static_cast<double>(run.sentPackets) : 0.0;
  return fmt::format("Lost: {} of {} packets of {} bytes ({}).", formatCount(run.lostPackets),
                     formatCount(run.sentPackets), run.plan.packetSize.value(), formatRatio(ratio));
}

std::string planText(const std::array<ProbeRunPlan, 2>& plan) {
  return fmt::format("two runs of {}, a packet of {} or {} bytes each {}: {}, then {}",
                     formatTime(toSeconds(plan[0].time())), plan[0].packetSize.value(), plan[1].packetSize.value(),
                     formatTime(toSeconds(plan[0].interval)), formatRate(plan[0].rate()), formatRate(plan[1].rate()));
}

std::string amountText(const std::array<ProbeRunPlan, 2>& plan) {
  std::uint64_t packets = 0;
  double bytes = 0.0;
  for (const ProbeRunPlan& run : plan) {
    packets += run.packets;
    bytes += static_cast<double>(run.packets) * static_cast<double>(run.packetSize.value());
  }
  return fmt::format("a UDP packet each {} for {}, first of {} bytes ({}), then of {} bytes ({}): {} packets, {}",
                     formatTime(toSeconds(plan[0].interval)), formatTime(toSeconds(plan[0].time() + plan[1].time())),
                     plan[0].packetSize.value(), formatRate(plan[0].rate()), plan[1].packetSize.value(),
                     formatRate(plan[1].rate()), formatCount(packets), formatBytes(bytes));
}

std::string shortVerdict(const ProbeAnalysis& analysis) {
  switch (analysis.verdict) {
    case ProbeVerdict::rejected:
      return "rejected: " + reasonsOf(analysis.faults);
    case ProbeVerdict::noLoss:
      return "no loss";
    case ProbeVerdict::tooFewLosses:
      return "too few losses";
    case ProbeVerdict::tooFewPackets:
      return "too few packets per RTT";
    case ProbeVerdict::rttUnknown:
      return "RTT unknown";
    case ProbeVerdict::bursts:
      return "bursts";
    case ProbeVerdict::independent:
      return "at random";
    case ProbeVerdict::undecided:
      return "undecided";
  }
  return {};
}

std::string sentence(const ProbeError& error, const UntrustedText& host) {
  const std::string name = forTerminal(host);
  switch (error.kind) {
    case ProbeError::Kind::systemFailed:
      return "cannot probe: " + systemReason(error);
    case ProbeError::Kind::unreachable:
      return fmt::format(
          "cannot reach a listener at {}: {}; run 'tcpscope-cli probe --listen' there, and let its port pass, TCP and "
          "UDP",
          name, systemReason(error));
    case ProbeError::Kind::silent:
      return fmt::format("{} does not answer; another probe may be running there", name);
    case ProbeError::Kind::ended:
      return fmt::format("{} ended the measurement", name);
    case ProbeError::Kind::notAProbe:
      return fmt::format("{} is no tcpscope probe listener of this version; run 'tcpscope-cli probe --listen' there",
                         name);
    case ProbeError::Kind::refused:
      return fmt::format("{} does not measure that much; lower the rate or the time", name);
    case ProbeError::Kind::interrupted:
      return "interrupted; what was measured is not a whole measurement";
  }
  return {};
}

}  // namespace tcpscope
