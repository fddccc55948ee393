#include "core/diagnosis/evidence/application_window.h"
#include "core/diagnosis/evidence/exchange_shares.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

namespace {

/// A thread of the program was ready to run and did not in most of the periods in which it held up the connection, and
/// for most of their time.
bool addHeldUpPeriods(const ConnectionEvidence& evidence, Finding& finding) {
  constexpr std::uint32_t kFew = 3;
  if (!evidence.heldUp || evidence.heldUp->count < kFew) return false;
  const HeldUpPeriods& periods = *evidence.heldUp;
  const bool isMost = 2 * periods.withoutProcessor >= periods.count && 2 * periods.withoutProcessorTime >= periods.time;
  if (!isMost) return false;
  const auto us = [](Nanoseconds time) { return toSeconds(time) * 1e6; };
  finding.evidence.push_back({"periods_without_processor", static_cast<double>(periods.withoutProcessor),
                              static_cast<double>(periods.count), "held_up_periods"});
  finding.evidence.push_back({"processor_wait_us", us(periods.withoutProcessorTime), us(periods.time), "held_up_us"});
  return true;
}

/// What kept the program from running: the processors, or memory of its own that was on a disk.
void addWhatKeptTheProgram(const ConnectionEvidence& evidence, Finding& finding) {
  constexpr double kMuch = 0.1;
  constexpr double kManyASecond = 100.0;
  if (!evidence.programWaits) return;
  const ProgramWaits& waits = *evidence.programWaits;
  if (waits.processorRatio() >= kMuch && !addHeldUpPeriods(evidence, finding)) {
    finding.evidence.push_back({"processor_wait_ratio", waits.processorRatio(), kMuch, {}});
  }
  const auto faults = waits.majorFaultsPerSecond();
  if (faults >= kManyASecond) {
    finding.evidence.push_back({"major_faults_per_second", *faults, kManyASecond, {}});
  }
}

}  // namespace

std::optional<Finding> applicationTooSlow(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const bool isWriter = verdict.limit == Limit::application && verdict.cause == Cause::slowWriter;
  if (evidence.side != Side::sending || !isWriter) return std::nullopt;
  // Most applications have nothing to send most of the time: worth knowing, and no fault.
  Finding finding{RuleId::applicationTooSlow, FindingSeverity::note, verdict.confidenceRatio, {}};
  finding.evidence.push_back({"writer_behind_ratio", writerBehindRatio(evidence), std::nullopt, {}});
  if (verdict.goodput && verdict.next) {
    finding.evidence.push_back({"goodput_bps", verdict.goodput->value(), verdict.next->rate.value(), "next_limit_bps"});
  }
  if (verdict.exchanges) {
    const auto figures = figuresOf(*verdict.exchanges);
    finding.evidence.insert(finding.evidence.end(), figures.begin(), figures.end());
  }
  if (!verdict.exchanges || slowestOf(*verdict.exchanges) == SlowPart::here) addWhatKeptTheProgram(evidence, finding);
  return finding;
}

std::optional<Finding> smallWrites(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || verdict.cause != Cause::nagle) return std::nullopt;
  Finding finding{RuleId::smallWrites, FindingSeverity::problem, verdict.confidenceRatio, verdict.evidence};
  if (evidence.nagle) finding.evidence.push_back({"cork", evidence.nagle->cork ? 1.0 : 0.0, std::nullopt, {}});
  return finding;
}

std::optional<Finding> applicationWindow(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || verdict.cause != Cause::applicationWindow) return std::nullopt;
  const auto window = tcpscope::applicationWindow(evidence);
  const auto trip = rtt(evidence);
  if (!window || !trip) return std::nullopt;
  Finding finding{RuleId::applicationWindow, FindingSeverity::warning, verdict.confidenceRatio, {}};
  finding.evidence.push_back({"application_window_bytes", static_cast<double>(window->size.value()), std::nullopt, {}});
  finding.evidence.push_back({"rtt_us", trip->meanUs, std::nullopt, {}});
  if (verdict.goodput && verdict.next) {
    finding.evidence.push_back({"goodput_bps", verdict.goodput->value(), verdict.next->rate.value(), "next_limit_bps"});
  }
  if (evidence.servicePort) {
    finding.evidence.push_back({"service_port", static_cast<double>(*evidence.servicePort), std::nullopt, {}});
  }
  return finding;
}

std::optional<Finding> receivingApplicationTooSlow(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (verdict.cause != Cause::slowReader) return std::nullopt;
  // What distinguished a slow reader from a small buffer for the verdict is the evidence here, too.
  Finding finding{RuleId::receivingApplicationTooSlow, FindingSeverity::problem, verdict.confidenceRatio,
                  verdict.evidence};
  if (evidence.side == Side::receiving) addWhatKeptTheProgram(evidence, finding);
  return finding;
}

std::optional<Finding> busyWithPackets(const ConnectionEvidence& evidence, const Verdict& verdict) {
  constexpr double kHardlyAnythingElse = 0.8;
  // A processor may be busy with the packets of others.
  constexpr double kMayBeTheLimit = 0.75;
  if (!evidence.programWaits || !evidence.carriesBulk || evidence.bytes.value_or(0) == 0) return std::nullopt;
  const auto& softirq = evidence.programWaits->softirqRatio;
  if (verdict.limit == Limit::idle || verdict.cause == Cause::slowWriter ||
      softirq.value_or(0.0) < kHardlyAnythingElse) {
    return std::nullopt;
  }
  return Finding{RuleId::busyWithPackets,
                 FindingSeverity::warning,
                 kMayBeTheLimit,
                 {{"softirq_ratio", *softirq, kHardlyAnythingElse, {}}}};
}

}  // namespace tcpscope::rules
