#include "core/model/collection_gap.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace tcpscope {
namespace {

constexpr GapKind kKinds[] = {
    GapKind::receiveBufferOverflow, GapKind::dumpInterrupted, GapKind::malformedMessage, GapKind::foreignMessage,
    GapKind::repeatedSocket,        GapKind::requestRefused,  GapKind::queueFull,        GapKind::focusSlotMissed,
    GapKind::socketBudget,          GapKind::damagedFrame,    GapKind::agentEnded,       GapKind::textCut,
    GapKind::ownerBudget,           GapKind::recordBudget,    GapKind::detailBudget,     GapKind::eventsLost,
    GapKind::namespacesHidden};

TEST(CollectionGap, EachKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const GapKind kind : kKinds) names.insert(name(kind));
  EXPECT_EQ(std::size(kKinds), kGapKinds);
  EXPECT_EQ(names.size(), std::size(kKinds));
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(CollectionGap, LostDataWeighsMoreThanARepeat) {
  EXPECT_EQ(severity(GapKind::receiveBufferOverflow), GapSeverity::dataLoss);
  EXPECT_EQ(severity(GapKind::queueFull), GapSeverity::dataLoss);
  EXPECT_EQ(severity(GapKind::dumpInterrupted), GapSeverity::warning);
  EXPECT_EQ(severity(GapKind::repeatedSocket), GapSeverity::info);
  EXPECT_EQ(name(GapSeverity::dataLoss), "data_loss");
}

}  // namespace
}  // namespace tcpscope
