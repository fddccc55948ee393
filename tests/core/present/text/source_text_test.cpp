#include "core/present/text/source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/present/text/host_text.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

constexpr PlaceId kHere{0};

TEST(GapSentence, CountsWhatGotLost) {
  EXPECT_EQ(sentence(std::vector<CollectionGap>{{kHere, GapKind::dumpInterrupted, 3}, {kHere, GapKind::queueFull, 1}}),
            "inconsistent polls: 3; batches dropped because the analysis was late: 1");
}

TEST(GapSentence, AddsUpWhatSeveralPlacesReport) {
  EXPECT_EQ(sentence(std::vector<CollectionGap>{{PlaceId{16}, GapKind::focusSlotMissed, 3},
                                                {PlaceId{17}, GapKind::focusSlotMissed, 37},
                                                {PlaceId{17}, GapKind::queueFull, 1}}),
            "late samples of the selected connection: 40; batches dropped because the analysis was late: 1");
}

TEST(GapSentence, LeavesOutWhatIsOnlyInformation) {
  EXPECT_EQ(sentence(std::vector<CollectionGap>{{kHere, GapKind::foreignMessage, 7}}), "");
  EXPECT_EQ(sentence(std::vector<CollectionGap>{}), "");
}

TEST(GapSentence, EveryKindHasItsWords) {
  for (std::size_t kind = 0; kind < kGapKinds; ++kind) {
    EXPECT_THAT(std::string(phrase(static_cast<GapKind>(kind))), HasSubstr(" ")) << kind;
  }
}

TEST(RecordedPacketsSentence, CountsThemAndSaysHowManyThereMayBe) {
  const UntrustedText file("slow.packets.pcapng");
  const Bytes budget(std::uint64_t{64} << 20U);
  EXPECT_EQ(recordedPacketsSentence(1234, 0, budget, file),
            "1,234 packet headers in slow.packets.pcapng, which takes up to 64.0 MiB.");
  EXPECT_THAT(recordedPacketsSentence(1234, 56, budget, file), HasSubstr("56 more were left out"));
  EXPECT_THAT(recordedPacketsSentence(0, 0, budget, file), HasSubstr("No packets are recorded so far"));
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

TEST(CapabilityNotice, SaysThatContainersAreMissingFromTheList) {
  EXPECT_EQ(notice({state(Capability::otherNamespaces, CapabilityStatus::limited)}),
            "Incomplete: no connections of some containers and other network namespaces.");
  EXPECT_EQ(notice({state(Capability::otherNamespaces, CapabilityStatus::missing)}),
            "Incomplete: no connections of containers and other network namespaces.");
}

TEST(CapabilityNotice, LeavesOutWhatNoViewNeeds) {
  EXPECT_EQ(notice({state(Capability::userNamespaces, CapabilityStatus::missing),
                    state(Capability::tcpInfo, CapabilityStatus::notTried)}),
            "");
}

RecordingFacts twelveSeconds() {
  RecordingFacts facts;
  facts.length = milliseconds(12'300);
  return facts;
}

TEST(RecordingText, OfAWholeRecordingIsEmpty) {
  EXPECT_TRUE(twelveSeconds().isWhole());
  EXPECT_EQ(damageText(twelveSeconds()), "");
}

TEST(RecordingText, CallsACutRecordingCut) {
  RecordingFacts facts = twelveSeconds();
  facts.isCut = true;
  EXPECT_EQ(damageText(facts), "truncated 12.3 s after its start");
}

TEST(RecordingText, SaysWhereARecordingIsDamaged) {
  RecordingFacts facts = twelveSeconds();
  facts.damagedPieces = 1;
  facts.firstDamage = milliseconds(4'000);
  EXPECT_EQ(damageText(facts), "damaged 4.00 s after its start, where a segment cannot be read");
  facts.damagedPieces = 3;
  facts.isCut = true;
  EXPECT_EQ(damageText(facts),
            "damaged 4.00 s after its start, where the first of 3 segments cannot be read, and truncated 12.3 s after "
            "its start");
}

TEST(RecordingText, SaysWhenAndByWhatItWasRecorded) {
  RecordingFacts facts = twelveSeconds();
  facts.begun = WallTime::fromNanoseconds(1'767'323'045'000'006'789);
  facts.program = UntrustedText("tcpscope\x1b 0.1.0");
  EXPECT_EQ(recordedText(facts), "2 January 2026, 03:04:05 UTC, for 12.3 s, by tcpscope 0.1.0");
}

}  // namespace
}  // namespace tcpscope
