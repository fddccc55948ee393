#include "core/diagnosis/rules/rule_catalogue.h"

#include <array>

#include "core/base/insertion_sort.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope {

namespace {

constexpr std::array kRules = {
    Rule{RuleId::receiverWindowTooSmall, rules::receiverWindowTooSmall},
    Rule{RuleId::windowScaleCapsWindow, rules::windowScaleCapsWindow},
    Rule{RuleId::sendBufferTooSmall, rules::sendBufferTooSmall},
    Rule{RuleId::networkLoss, rules::networkLoss},
    Rule{RuleId::queueing, rules::queueing},
    Rule{RuleId::returnPathQueue, rules::returnPathQueue},
    Rule{RuleId::congestionWindow, rules::congestionWindow},
    Rule{RuleId::pacingLimit, rules::pacingLimit},
    Rule{RuleId::applicationTooSlow, rules::applicationTooSlow},
    Rule{RuleId::receivingApplicationTooSlow, rules::receivingApplicationTooSlow},
    Rule{RuleId::receiveBufferTooSmall, rules::receiveBufferTooSmall},
    Rule{RuleId::bufferLocked, rules::bufferLocked},
    Rule{RuleId::optionsMissing, rules::optionsMissing},
    Rule{RuleId::timeouts, rules::timeouts},
    Rule{RuleId::reordering, rules::reordering},
    Rule{RuleId::ecnMarks, rules::ecnMarks},
    Rule{RuleId::smallSegments, rules::smallSegments},
    Rule{RuleId::slowStart, rules::slowStart},
    Rule{RuleId::idleRestart, rules::idleRestart},
    Rule{RuleId::unansweredOpening, rules::unansweredOpening, true},
    Rule{RuleId::slowOpening, rules::slowOpening},
    Rule{RuleId::stalled, rules::stalled, true},
    Rule{RuleId::smallWrites, rules::smallWrites},
    Rule{RuleId::applicationWindow, rules::applicationWindow},
    Rule{RuleId::leftOpen, rules::leftOpen, true},
    Rule{RuleId::busyWithPackets, rules::busyWithPackets},
};

constexpr bool followsTheEnumeration() {
  for (std::size_t index = 0; index < kRules.size(); ++index) {
    if (static_cast<std::size_t>(kRules[index].id) != index) return false;
  }
  return kRules.size() == static_cast<std::size_t>(RuleId::acceptQueueOverflow);
}
static_assert(followsTheEnumeration(), "one row a rule, in the order of RuleId; listeners have their own");

}  // namespace

std::span<const Rule> ruleCatalogue() {
  return kRules;
}

std::vector<Finding> findingsOf(const ConnectionEvidence& evidence, const Verdict& verdict) {
  std::vector<Finding> findings;
  for (const Rule& rule : ruleCatalogue()) {
    if (!hasShare(verdict.limit) && !rule.whereNothingMoves) continue;
    if (auto finding = rule.apply(evidence, verdict)) findings.push_back(std::move(*finding));
  }
  const auto graver = [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.confidenceRatio > b.confidenceRatio;
  };
  insertionSort(findings, graver);
  return findings;
}

}  // namespace tcpscope
