#include "core/session/agreement.h"

#include <algorithm>

#include "core/diagnosis/evidence/confidence.h"

namespace tcpscope::lab {

namespace {

const Verdict& verdictAt(const ConnectionDiagnosis& diagnosis, Side side) {
  const std::optional<SideDiagnosis>& found = side == Side::sending ? diagnosis.sending : diagnosis.receiving;
  return found ? found->verdict : diagnosis.verdict;
}

Answer answerOf(const Verdict& verdict) {
  return {verdict.limit, verdict.cause, verdict.confidenceRatio};
}

bool senderIsRight(const Truth& truth, const Answer& answer) {
  if (answer.limit != truth.limit) return false;
  if (answer.cause == truth.cause) return true;
  // What made the other end's window small does not show here.
  const bool isOfThatEnd = truth.cause == Cause::bufferLocked || truth.cause == Cause::windowClamp;
  return truth.limit == Limit::receiver && isOfThatEnd && answer.cause == Cause::bufferLimit;
}

/// Polls may show too few turns to know it.
bool slowPartIsRight(const Truth& truth, const Verdict& verdict) {
  return !truth.slowPart || !verdict.exchanges || slowestOf(*verdict.exchanges) == *truth.slowPart;
}

bool receiverIsRight(const Truth& truth, const Verdict& verdict) {
  // One that did not answer the SYN knows of no connection.
  if (truth.limit == Limit::opening) return verdict.limit == Limit::unknown || verdict.limit == Limit::opening;
  const bool isReader = truth.limit == Limit::stalled && truth.cause == Cause::slowReader;
  if (truth.limit == Limit::receiver || (isReader && verdict.limit == Limit::application)) {
    const Limit here = truth.cause == Cause::slowReader ? Limit::application : Limit::receiver;
    return verdict.limit == here && verdict.cause == truth.cause;
  }
  // Nothing arrives for a while: that is all this end can say.
  const bool mayBeSilent = truth.limit == Limit::idle || truth.limit == Limit::timeout || truth.limit == Limit::stalled;
  if (verdict.limit == Limit::idle) return mayBeSilent;
  const bool isRepair = truth.limit == Limit::recovery || truth.limit == Limit::timeout;
  const Limit candidate = isRepair ? Limit::network : truth.limit;
  // What arrives shows that it is the path, and no more.
  if (verdict.limit == Limit::network) return candidate == Limit::network;
  const auto& all = verdict.candidates;
  return verdict.limit == Limit::unknown && std::find(all.begin(), all.end(), candidate) != all.end();
}

void collect(std::vector<const Finding*>& all, const ConnectionDiagnosis& diagnosis) {
  for (const auto* const side : {&diagnosis.sending, &diagnosis.receiving}) {
    if (!*side) continue;
    for (const Finding& finding : (*side)->findings) all.push_back(&finding);
  }
}

bool appears(const std::vector<const Finding*>& all, std::string_view rule) {
  return std::any_of(all.begin(), all.end(), [&](const Finding* one) { return name(one->rule) == rule; });
}

}  // namespace

bool Agreement::isConfident() const {
  const auto silentOrSure = [](const Answer& answer) {
    return answer.limit == Limit::unknown || answer.confidenceRatio >= kConfident;
  };
  return sender.limit != Limit::unknown && silentOrSure(sender) && silentOrSure(receiver);
}

bool Agreement::isConfidentlyWrong() const {
  const bool senderErrs = !senderAgrees && sender.confidenceRatio >= kConfident;
  const bool receiverErrs = !receiverAgrees && receiver.confidenceRatio >= kConfident;
  return senderErrs || receiverErrs;
}

Agreement agreementOf(const Truth& truth, const ConnectionDiagnosis& sendingEnd,
                      const ConnectionDiagnosis& receivingEnd) {
  Agreement agreement;
  const Verdict& receiving = verdictAt(receivingEnd, Side::receiving);
  agreement.sender = answerOf(verdictAt(sendingEnd, Side::sending));
  agreement.receiver = answerOf(receiving);
  agreement.senderAgrees =
      senderIsRight(truth, agreement.sender) && slowPartIsRight(truth, verdictAt(sendingEnd, Side::sending));
  agreement.receiverAgrees = receiverIsRight(truth, receiving);

  std::vector<const Finding*> findings;
  collect(findings, sendingEnd);
  collect(findings, receivingEnd);
  for (const std::string& rule : truth.findings) {
    if (!appears(findings, rule)) agreement.missingFindings.push_back(rule);
  }
  for (const std::string& rule : truth.forbiddenFindings) {
    if (rule != kAnyFinding && appears(findings, rule)) agreement.forbiddenFindings.push_back(rule);
    if (rule != kAnyFinding) continue;
    for (const Finding* const finding : findings) {
      if (finding->severity != FindingSeverity::note) agreement.forbiddenFindings.emplace_back(name(finding->rule));
    }
  }
  return agreement;
}

}  // namespace tcpscope::lab
