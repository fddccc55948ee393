#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/present/text/capability_sentences.h"
#include "core/present/text/sentences.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr PlaceId kHere{0};

TEST(GapSentence, CountsWhatGotLost) {
  EXPECT_EQ(sentence(std::vector<CollectionGap>{{kHere, GapKind::dumpInterrupted, 3}, {kHere, GapKind::queueFull, 1}}),
            "inconsistent polls: 3; batches dropped because the analysis was late: 1");
}

TEST(GapSentence, LeavesOutWhatIsOnlyInformation) {
  EXPECT_EQ(sentence(std::vector<CollectionGap>{{kHere, GapKind::foreignMessage, 7}}), "");
  EXPECT_EQ(sentence(std::vector<CollectionGap>{}), "");
}

TEST(GapSentence, EveryKindHasItsWords) {
  for (int kind = 0; kind <= static_cast<int>(GapKind::agentEnded); ++kind) {
    EXPECT_THAT(std::string(phrase(static_cast<GapKind>(kind))), HasSubstr(" ")) << kind;
  }
}

CapabilityState state(Capability capability, CapabilityStatus status) {
  CapabilityState state;
  state.capability = capability;
  state.status = status;
  return state;
}

TEST(CapabilityNotice, IsEmptyWhereEverythingWorks) {
  EXPECT_EQ(notice({state(Capability::tcpInfo, CapabilityStatus::works),
                    state(Capability::otherUsersOwners, CapabilityStatus::works)}),
            "");
}

TEST(CapabilityNotice, SaysInOneLineWhatIsSeenLessWell) {
  CapabilityState owners = state(Capability::otherUsersOwners, CapabilityStatus::limited);
  owners.amount = 40;
  EXPECT_EQ(notice({owners, state(Capability::destroyEvents, CapabilityStatus::missing)}),
            "Incomplete: 40 processes are not accessible, their connections have no process name; no final figures of "
            "closed connections.");
}

TEST(CapabilityNotice, LeavesOutWhatNoViewNeeds) {
  EXPECT_EQ(notice({state(Capability::userNamespaces, CapabilityStatus::missing),
                    state(Capability::tcpInfo, CapabilityStatus::notTried)}),
            "");
}

}  // namespace
}  // namespace tcpscope
