// A figure that the source does not report is unknown, not 0: with one figure missing, no rule reports a fault with
// more confidence, or cites a figure that it did not cite before, and no bound becomes lower.
#include <gtest/gtest.h>

#include <functional>

#include "core/diagnosis/bounds/bound_catalogue.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/rules/rule_catalogue.h"
#include "core/diagnosis/verdict.h"

namespace tcpscope {
namespace {

struct Figure {
  std::string_view name;
  std::function<void(ConnectionEvidence&)> remove;
};

#define FIGURE(member)                                                   \
  Figure {                                                               \
#member, [](ConnectionEvidence & evidence) { evidence.member = {}; } \
  }

const std::vector<Figure>& figures() {
  static const std::vector<Figure> kFigures = {
      FIGURE(options),
      FIGURE(windowScale),
      FIGURE(oppositeWindowScale),
      FIGURE(mss),
      FIGURE(pathMtu),
      FIGURE(congestionControl),
      FIGURE(slowsDownForLoss),
      FIGURE(maxPacingRate),
      FIGURE(bufferLocks),
      FIGURE(caState),
      FIGURE(congestionWindow),
      FIGURE(slowStartThreshold),
      FIGURE(isInSlowStart),
      FIGURE(receiveWindow),
      FIGURE(memory),
      FIGURE(sendQueue),
      FIGURE(rtt),
      FIGURE(minRtt),
      FIGURE(receiverRtt),
      FIGURE(retransmissionTimeout),
      FIGURE(consecutiveTimeouts),
      FIGURE(deliveryRate),
      FIGURE(bbrBandwidth),
      FIGURE(totalBytes),
      FIGURE(totalBytesSent),
      FIGURE(totalBytesRetransmitted),
      FIGURE(totalDataSegments),
      FIGURE(totalRetransmissions),
      FIGURE(totalDuplicates),
      FIGURE(totalCeMarks),
      FIGURE(bytes),
      FIGURE(oppositeBytes),
      FIGURE(dataSegments),
      FIGURE(retransmittedSegments),
      FIGURE(duplicateSegments),
      FIGURE(timeouts),
      FIGURE(reorderingEvents),
      FIGURE(deliveredSegments),
      FIGURE(ceMarkedSegments),
      FIGURE(outOfOrderSegments),
      FIGURE(lossEvents),
      FIGURE(estimatedLossEvents),
      FIGURE(rttUs),
      FIGURE(returnQueue),
      FIGURE(rttAtLossUs),
      FIGURE(receiveWindowBytes),
      FIGURE(inFlightBytes),
      FIGURE(congestionWindowBytes),
      FIGURE(notSentBytes),
      FIGURE(sendBufferFillRatio),
      FIGURE(unreadBytes),
      FIGURE(windowsAfterLoss),
      FIGURE(segmentsBetweenLosses),
      FIGURE(windowShrunkSamples),
      FIGURE(windowClosedSamples),
      FIGURE(unreadSamples),
      FIGURE(recoverySamples),
      FIGURE(idleRestarts),
      FIGURE(nagleSamples),
      FIGURE(programWaits),
      FIGURE(heldUp),
      FIGURE(exchanges),
      FIGURE(delayedPieceRatio),
      FIGURE(unansweredTries),
      FIGURE(opening),
      FIGURE(unansweredKeepAlives),
      FIGURE(unansweredWindowProbes),
      FIGURE(timer),
      FIGURE(backoff),
      FIGURE(sinceLastAck),
      FIGURE(sinceLastSend),
      FIGURE(oppositeSegments),
      FIGURE(windowClosedFor),
      FIGURE(ownTurnUs),
      FIGURE(peersTurnUs),
      FIGURE(servicePort),
      FIGURE(arrivalSamples),
      FIGURE(outOfOrderSamples),
      FIGURE(arrivalRate),
  };
  return kFigures;
}

/// A side with every figure known, so that many rules apply at once.
ConnectionEvidence completeEvidence(Side side) {
  ConnectionEvidence evidence;
  evidence.side = side;
  evidence.vantage = side == Side::sending ? Vantage::sender : Vantage::receiver;
  evidence.state = TcpState::established;
  evidence.options = NegotiatedOptions{};
  evidence.windowScale = evidence.oppositeWindowScale = Count(0);
  evidence.mss = Bytes(536);
  evidence.pathMtu = Bytes(576);
  evidence.congestionControl = CongestionControlName("reno");
  evidence.slowsDownForLoss = true;
  evidence.maxPacingRate = BitsPerSecond(9e6);
  evidence.bufferLocks = BufferLocks{true, true};
  evidence.caState = CaState::open;
  evidence.congestionWindow = evidence.slowStartThreshold = Segments(100);
  evidence.isInSlowStart = false;
  evidence.receiveWindow = Bytes(65'535);
  evidence.memory = SocketMemory{};
  evidence.memory->sendBuffer = evidence.memory->receiveBuffer = Bytes(200'000);
  evidence.memory->sendQueued = Bytes(150'000);
  evidence.sendQueue = Bytes(100'000);
  evidence.rtt = evidence.minRtt = evidence.receiverRtt = Microseconds(20'000);
  evidence.retransmissionTimeout = Microseconds(220'000);
  evidence.consecutiveTimeouts = Count(0);
  evidence.deliveryRate = evidence.bbrBandwidth = BitsPerSecond(20e6);
  evidence.totalBytes = evidence.totalBytesSent = Bytes(5'000'000);
  evidence.totalBytesRetransmitted = Bytes(50'000);
  evidence.totalDataSegments = Segments(10'000);
  evidence.totalRetransmissions = Segments(100);
  evidence.totalDuplicates = evidence.totalCeMarks = Segments(10);
  evidence.to = evidence.from + std::chrono::seconds(4);
  evidence.samples = 40;
  evidence.longestStep = Milliseconds(100);
  evidence.limits.add(Limit::network, Milliseconds(3600));
  evidence.limits.add(Limit::timeout, Milliseconds(400));
  evidence.bytes = 4'000'000;
  evidence.oppositeBytes = 1'000;
  evidence.dataSegments = evidence.deliveredSegments = 10'000;
  evidence.retransmittedSegments = 100;
  evidence.duplicateSegments = 10;
  evidence.timeouts = 2;
  evidence.reorderingEvents = 3;
  evidence.ceMarkedSegments = 200;
  evidence.outOfOrderSegments = 5;
  evidence.lossEvents = 20;
  evidence.estimatedLossEvents = 21.0;
  for (int sample = 0; sample < 40; ++sample) {
    evidence.rttUs.add(60'000);
    evidence.receiveWindowBytes.add(65'535);
    evidence.inFlightBytes.add(50'000);
    evidence.congestionWindowBytes.add(53'600);
    evidence.notSentBytes.add(50'000);
    evidence.sendBufferFillRatio.add(0.75);
    evidence.unreadBytes.add(30'000);
  }
  evidence.returnQueue = Microseconds(10'000);
  evidence.rttAtLossUs.add(62'000);
  evidence.windowsAfterLoss.add(50);
  evidence.windowsAfterLoss.add(60);
  evidence.segmentsBetweenLosses.add(500);
  evidence.segmentsBetweenLosses.add(600);
  evidence.windowShrunkSamples = evidence.windowClosedSamples = 0;
  evidence.recoverySamples = 4;
  return evidence;
}

/// The same without timeouts, so that the models of loss apply, and as BBR.
std::vector<ConnectionEvidence> situations() {
  std::vector<ConnectionEvidence> all = {completeEvidence(Side::sending), completeEvidence(Side::receiving)};
  ConnectionEvidence withoutTimeouts = completeEvidence(Side::sending);
  withoutTimeouts.timeouts = 0;
  withoutTimeouts.limits = {};
  withoutTimeouts.limits.add(Limit::network, std::chrono::seconds(4));
  all.push_back(withoutTimeouts);
  ConnectionEvidence spurious = withoutTimeouts;
  spurious.duplicateSegments = 90;
  all.push_back(spurious);
  ConnectionEvidence bbr = withoutTimeouts;
  bbr.congestionControl = CongestionControlName("bbr");
  bbr.slowsDownForLoss = false;
  all.push_back(bbr);
  return all;
}

/// Verdicts under which each rule about a limit applies.
std::vector<Verdict> verdicts() {
  std::vector<Verdict> all;
  for (const Limit limit : kLimits) {
    for (const Cause cause : {Cause::unknown, Cause::bufferLimit, Cause::slowReader, Cause::pacing, Cause::loss,
                              Cause::queue, Cause::pathFull, Cause::reordering}) {
      Verdict verdict;
      verdict.limit = limit;
      verdict.cause = cause;
      verdict.confidenceRatio = 0.9;
      all.push_back(verdict);
    }
  }
  return all;
}

bool cites(const Finding& finding, std::string_view key) {
  for (const Evidence& evidence : finding.evidence) {
    if (evidence.key == key) return true;
  }
  return false;
}

void expectNoSurerFinding(const Rule& rule, const ConnectionEvidence& complete, const ConnectionEvidence& partial,
                          const Verdict& verdict) {
  const auto before = rule.apply(complete, verdict);
  const auto after = rule.apply(partial, verdict);
  if (!after) return;
  if (!before) {
    EXPECT_LT(after->confidenceRatio, kConfident);
    return;
  }
  EXPECT_LE(after->confidenceRatio, before->confidenceRatio);
  EXPECT_LE(static_cast<int>(after->severity), static_cast<int>(before->severity));
  for (const Evidence& evidence : after->evidence) EXPECT_TRUE(cites(*before, evidence.key)) << evidence.key;
}

TEST(MissingFigure, RaisesNoConfidence) {
  for (const ConnectionEvidence& complete : situations()) {
    for (const Figure& figure : figures()) {
      ConnectionEvidence partial = complete;
      figure.remove(partial);
      for (const Rule& rule : ruleCatalogue()) {
        SCOPED_TRACE(std::string(name(rule.id)) + " without " + std::string(figure.name));
        for (const Verdict& verdict : verdicts()) expectNoSurerFinding(rule, complete, partial, verdict);
      }
    }
  }
}

const Bound* boundOfModel(const std::vector<Bound>& bounds, BoundModel model) {
  for (const Bound& bound : bounds) {
    if (bound.model == model) return &bound;
  }
  return nullptr;
}

TEST(MissingFigure, MakesNoBoundZero) {
  Verdict verdict;
  verdict.limit = Limit::network;
  for (const ConnectionEvidence& complete : situations()) {
    const auto before = boundsOf(complete, verdict);
    for (const Figure& figure : figures()) {
      ConnectionEvidence partial = complete;
      figure.remove(partial);
      for (const Bound& after : boundsOf(partial, verdict)) {
        SCOPED_TRACE(std::string(name(after.model)) + " without " + std::string(figure.name));
        EXPECT_GT(after.rate.value_or(BitsPerSecond(1.0)).value(), 0.0);
        const Bound* known = boundOfModel(before, after.model);
        if (known == nullptr) {
          EXPECT_FALSE(after.applies);
        } else if (after.applies) {
          EXPECT_TRUE(known->applies) << name(known->whyNot);
        }
      }
    }
  }
}

TEST(MissingFigure, KeepsTheLimitOrLowersTheConfidence) {
  for (const ConnectionEvidence& complete : situations()) {
    const auto verdictOf = [](const ConnectionEvidence& evidence) {
      return evidence.side == Side::sending ? sendingVerdict(evidence, WithEvidence::yes)
                                            : receivingVerdict(evidence, WithEvidence::yes);
    };
    const Verdict before = verdictOf(complete);
    for (const Figure& figure : figures()) {
      ConnectionEvidence partial = complete;
      figure.remove(partial);
      const Verdict after = verdictOf(partial);
      EXPECT_TRUE(name(after.limit) == name(before.limit) || after.confidenceRatio < kConfident ||
                  before.cause == Cause::reordering)
          << name(after.limit) << " without " << figure.name;
    }
  }
}

}  // namespace
}  // namespace tcpscope
