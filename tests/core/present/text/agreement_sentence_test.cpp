#include <gtest/gtest.h>

#include "core/present/text/lab_text.h"

namespace tcpscope::lab {
namespace {

Agreement agreementWith(Answer sender, Answer receiver) {
  Agreement agreement;
  agreement.sender = sender;
  agreement.receiver = receiver;
  agreement.senderAgrees = true;
  agreement.receiverAgrees = true;
  return agreement;
}

TEST(AgreementSentence, OfTwoEndsThatNameTheLimit) {
  const Answer network{Limit::network, Cause::pathFull, 1.0};
  EXPECT_EQ(sentence(agreementWith(network, network)), "Both verdicts agree with the answer.");
  const Answer idle{Limit::idle, Cause::unknown, 1.0};
  EXPECT_EQ(sentence(agreementWith(idle, idle)), "Both verdicts agree with the answer.");
}

TEST(AgreementSentence, OfAReceiverThatCannotKnowClaimsNoAgreement) {
  const Answer timeouts{Limit::timeout, Cause::mtu, 1.0};
  for (const Limit limit : {Limit::unknown, Limit::idle}) {
    EXPECT_EQ(sentence(agreementWith(timeouts, {limit, Cause::unknown, 1.0})),
              "The sender's verdict agrees with the answer; the receiver cannot know it.");
  }
}

TEST(TruthSentence, NamesTheSlowPartOfExchangesAsTheVerdictDoes) {
  Truth truth{"main", Limit::application, Cause::slowWriter, {}, {}};
  EXPECT_EQ(sentence(truth), "Limited by the sending application (it provides no data).");
  truth.slowPart = SlowPart::peer;
  EXPECT_EQ(sentence(truth), "Limited by the application at the peer (requests and responses alternate).");
}

TEST(AgreementSentence, NamesTheEndThatDisagrees) {
  Agreement agreement = agreementWith({Limit::network, Cause::policer, 0.75}, {Limit::idle, Cause::unknown, 1.0});
  agreement.senderAgrees = false;
  agreement.missingFindings = {"network_loss"};
  EXPECT_EQ(sentence(agreement),
            "The sender's verdict: Network (policer)?, confidence 75 %. Not found: Packet loss on the path.");
}

}  // namespace
}  // namespace tcpscope::lab
