#include "core/session/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope::lab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ConnectionDiagnosis end(Side side, Limit limit, Cause cause, double confidence = 0.9) {
  ConnectionDiagnosis diagnosis;
  SideDiagnosis found;
  found.side = side;
  found.verdict.limit = limit;
  found.verdict.cause = cause;
  found.verdict.confidenceRatio = confidence;
  diagnosis.bulk = side;
  diagnosis.verdict = found.verdict;
  (side == Side::sending ? diagnosis.sending : diagnosis.receiving) = found;
  return diagnosis;
}

ConnectionDiagnosis sender(Limit limit, Cause cause, double confidence = 0.9) {
  return end(Side::sending, limit, cause, confidence);
}

ConnectionDiagnosis receiver(Limit limit, Cause cause, double confidence = 0.9) {
  return end(Side::receiving, limit, cause, confidence);
}

/// What a receiving end reports about a limit that lies elsewhere.
ConnectionDiagnosis unknownDiagnosis() {
  ConnectionDiagnosis diagnosis = receiver(Limit::unknown, Cause::unknown, 0.0);
  diagnosis.receiving->verdict.candidates = {Limit::network, Limit::application, Limit::sendBuffer};
  return diagnosis;
}

Truth truth(Limit limit, Cause cause) {
  return {"main", limit, cause, {}, {}};
}

TEST(Agreement, HoldsTheSenderToLimitAndCause) {
  const Truth loss = truth(Limit::network, Cause::loss);
  EXPECT_TRUE(agreementOf(loss, sender(Limit::network, Cause::loss), unknownDiagnosis()).agrees());
  EXPECT_FALSE(agreementOf(loss, sender(Limit::network, Cause::queue), unknownDiagnosis()).agrees());
  EXPECT_FALSE(agreementOf(loss, sender(Limit::recovery, Cause::loss), unknownDiagnosis()).agrees());
  EXPECT_FALSE(agreementOf(loss, sender(Limit::unknown, Cause::unknown, 0.0), unknownDiagnosis()).agrees());
}

TEST(Agreement, HoldsTheSenderToTheSlowPartOfExchangesWhereItKnowsThat) {
  Truth slowPeer = truth(Limit::application, Cause::slowWriter);
  slowPeer.slowPart = SlowPart::peer;
  ConnectionDiagnosis known = sender(Limit::application, Cause::slowWriter);
  EXPECT_TRUE(agreementOf(slowPeer, known, unknownDiagnosis()).agrees()) << "too few turns were seen";
  known.sending->verdict.exchanges = ExchangeShares{.here = 0.2, .path = 0.2, .peer = 0.6};
  EXPECT_TRUE(agreementOf(slowPeer, known, unknownDiagnosis()).agrees());
  known.sending->verdict.exchanges = ExchangeShares{.here = 0.6, .path = 0.2, .peer = 0.2};
  EXPECT_FALSE(agreementOf(slowPeer, known, unknownDiagnosis()).agrees());
}

TEST(Agreement, DoesNotAskTheReceiverWhatOnlyTheSenderKnows) {
  const Truth loss = truth(Limit::network, Cause::loss);
  const ConnectionDiagnosis right = sender(Limit::network, Cause::loss);
  EXPECT_TRUE(agreementOf(loss, right, unknownDiagnosis()).agrees());
  EXPECT_FALSE(agreementOf(loss, right, receiver(Limit::receiver, Cause::bufferLimit)).agrees());
  EXPECT_FALSE(agreementOf(loss, right, receiver(Limit::idle, Cause::unknown)).agrees());
}

TEST(Agreement, DoesNotAskTheSenderWhoLockedTheReceiversBuffer) {
  const Truth locked = truth(Limit::receiver, Cause::bufferLocked);
  const ConnectionDiagnosis sending = sender(Limit::receiver, Cause::bufferLimit);
  EXPECT_TRUE(agreementOf(locked, sending, receiver(Limit::receiver, Cause::bufferLocked)).agrees());
  EXPECT_FALSE(agreementOf(locked, sending, receiver(Limit::receiver, Cause::bufferLimit)).agrees());
  EXPECT_FALSE(agreementOf(locked, sending, unknownDiagnosis()).agrees());
}

TEST(Agreement, AReaderIsTheReceiversApplicationSeenFromThere) {
  const Truth slow = truth(Limit::receiver, Cause::slowReader);
  const ConnectionDiagnosis sending = sender(Limit::receiver, Cause::slowReader);
  EXPECT_TRUE(agreementOf(slow, sending, receiver(Limit::application, Cause::slowReader)).agrees());
  EXPECT_FALSE(agreementOf(slow, sending, receiver(Limit::receiver, Cause::bufferLimit)).agrees());
}

TEST(Agreement, IsConfidentWhereEveryEndThatSpeaksIs) {
  const Truth loss = truth(Limit::network, Cause::loss);
  EXPECT_TRUE(agreementOf(loss, sender(Limit::network, Cause::loss, 0.8), unknownDiagnosis()).isConfident());
  EXPECT_FALSE(agreementOf(loss, sender(Limit::network, Cause::loss, 0.79), unknownDiagnosis()).isConfident());
  const ConnectionDiagnosis unsure = receiver(Limit::receiver, Cause::bufferLimit, 0.5);
  EXPECT_FALSE(agreementOf(loss, sender(Limit::network, Cause::loss), unsure).isConfident());
}

TEST(Agreement, AConfidentEndThatErrsIsWorseThanAnUnsureOne) {
  const Truth loss = truth(Limit::network, Cause::loss);
  EXPECT_TRUE(agreementOf(loss, sender(Limit::network, Cause::queue, 0.9), unknownDiagnosis()).isConfidentlyWrong());
  EXPECT_FALSE(agreementOf(loss, sender(Limit::network, Cause::queue, 0.7), unknownDiagnosis()).isConfidentlyWrong());
  const ConnectionDiagnosis wrong = receiver(Limit::receiver, Cause::bufferLimit);
  EXPECT_TRUE(agreementOf(loss, sender(Limit::network, Cause::loss), wrong).isConfidentlyWrong());
}

Finding finding(RuleId rule, FindingSeverity severity) {
  return {rule, severity, 0.9, {}};
}

TEST(Agreement, ExpectsEveryFindingAtOneEndAtLeast) {
  Truth loss = truth(Limit::network, Cause::loss);
  loss.findings = {"network_loss", "timeouts"};
  ConnectionDiagnosis sending = sender(Limit::network, Cause::loss);
  sending.sending->findings = {finding(RuleId::networkLoss, FindingSeverity::warning)};
  const Agreement agreement = agreementOf(loss, sending, unknownDiagnosis());
  EXPECT_THAT(agreement.missingFindings, ElementsAre("timeouts"));
  EXPECT_TRUE(agreement.verdictAgrees());
  EXPECT_FALSE(agreement.agrees());
}

TEST(Agreement, SuffersNoForbiddenFinding) {
  Truth healthy = truth(Limit::network, Cause::pathFull);
  healthy.forbiddenFindings = {"timeouts"};
  ConnectionDiagnosis sending = sender(Limit::network, Cause::pathFull);
  sending.sending->findings = {finding(RuleId::timeouts, FindingSeverity::note)};
  EXPECT_THAT(agreementOf(healthy, sending, unknownDiagnosis()).forbiddenFindings, ElementsAre("timeouts"));
}

TEST(Agreement, AnyFindingMeansOneThatCallsForAChange) {
  Truth healthy = truth(Limit::network, Cause::pathFull);
  healthy.forbiddenFindings = {"any"};
  ConnectionDiagnosis sending = sender(Limit::network, Cause::pathFull);
  sending.sending->findings = {finding(RuleId::queueing, FindingSeverity::note)};
  EXPECT_THAT(agreementOf(healthy, sending, unknownDiagnosis()).forbiddenFindings, IsEmpty());
  sending.sending->findings = {finding(RuleId::queueing, FindingSeverity::warning)};
  EXPECT_THAT(agreementOf(healthy, sending, unknownDiagnosis()).forbiddenFindings, ElementsAre("queueing"));
}

}  // namespace
}  // namespace tcpscope::lab
