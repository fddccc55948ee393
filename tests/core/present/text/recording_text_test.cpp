#include "core/present/text/recording_text.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using std::chrono::milliseconds;

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
