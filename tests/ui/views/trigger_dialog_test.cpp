#include "ui/views/scope/trigger_dialog.h"

#include <gtest/gtest.h>

#include "core/model/metric_catalogue.h"

namespace tcpscope {
namespace {

std::optional<TriggerChoice> chosenAfter(const TriggerChoice& choice, const std::vector<Metric>& traces) {
  return TriggerDialog(choice, traces, true).choice();
}

TEST(TriggerDialogTest, GivesBackWhatItBeginsWith) {
  const TriggerChoice choice{
      HistoryEventKind::timeout, {TriggerMode::single, 0.2, std::chrono::seconds(3)}, true, {true, false, true}};
  const auto same = chosenAfter(choice, {});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->condition, choice.condition);
  EXPECT_EQ(same->settings, choice.settings);
  EXPECT_TRUE(same->isOfAllShown);
  EXPECT_EQ(same->actions, choice.actions);
}

TEST(TriggerDialogTest, ReadsTheLevelOfEachFigureAsItWritesIt) {
  for (const MetricRow& row : metricCatalogue()) {
    if (row.unit == MetricUnit::flag || row.unit == MetricUnit::name) continue;
    const LevelTrigger level{row.metric, false, 20.0};
    const auto same = chosenAfter({level, {}}, {row.metric});
    ASSERT_TRUE(same) << row.key;
    ASSERT_TRUE(std::holds_alternative<LevelTrigger>(same->condition)) << row.key;
    EXPECT_NEAR(std::get<LevelTrigger>(same->condition).level, 20.0, 0.01) << row.key;
    EXPECT_FALSE(std::get<LevelTrigger>(same->condition).rises) << row.key;
  }
}

TEST(TriggerDialogTest, KeepsALevelThatIsShownRounded) {
  for (const double value : {1'234'567.0, 0.0005, 120'000'000.0}) {
    for (const Metric metric : {Metric::sndWnd, Metric::rtt, Metric::retransmittedRatio, Metric::sendGoodput}) {
      // Its trace is not on the screen any more.
      const auto same = chosenAfter({LevelTrigger{metric, true, value}, {}}, {});
      ASSERT_TRUE(same);
      EXPECT_EQ(same->condition, TriggerCondition(LevelTrigger{metric, true, value}));
    }
  }
}

TEST(TriggerDialogTest, IsNotCompleteWithoutALevel) {
  TriggerDialog dialog({LevelTrigger{Metric::rtt, true, 50'000.0}, {}}, {Metric::rtt}, true);
  auto* level = dialog.findChild<QLineEdit*>();
  ASSERT_NE(level, nullptr);
  level->setText(QStringLiteral("fast"));
  EXPECT_FALSE(dialog.choice());
  level->setText(QStringLiteral("80 ms"));
  ASSERT_TRUE(dialog.choice());
  EXPECT_EQ(std::get<LevelTrigger>(dialog.choice()->condition).level, 80'000.0);
}

TEST(TriggerDialogTest, TakesAFilterForAnyConnection) {
  TriggerChoice choice;
  choice.filterText = "dport = :443 and rtt > 200ms";
  choice.actions.captures = true;
  const auto same = chosenAfter(choice, {});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->filterText, choice.filterText);
  EXPECT_EQ(same->actions, choice.actions);
  EXPECT_EQ(describeTrigger(*same), "A connection begins to match “dport = :443 and rtt > 200ms”");
}

TEST(TriggerDialogTest, IsNotCompleteWithAFilterThatIsNone) {
  TriggerChoice choice;
  choice.filterText = "dport = :443 and";
  TriggerDialog dialog(choice, {}, true);
  EXPECT_FALSE(dialog.choice());
  bool isSaid = false;
  for (const QLabel* label : dialog.findChildren<QLabel*>())
    isSaid = isSaid || label->text().startsWith(QStringLiteral("Filter, character"));
  EXPECT_TRUE(isSaid);
}

TEST(TriggerDialogTest, OffersNoFilterOverAFile) {
  TriggerChoice choice;
  choice.filterText = "rtt > 200ms";
  const auto same = TriggerDialog(choice, {}, false).choice();
  ASSERT_TRUE(same);
  EXPECT_EQ(same->filterText, "");
}

TEST(TriggerDialogTest, SaysWhatIsWaitedFor) {
  EXPECT_EQ(describeTrigger(LevelTrigger{Metric::rtt, true, 50'000.0}), "RTT rises to 50.0 ms");
  EXPECT_EQ(describeTrigger(HistoryEventKind::retransmission), "Retransmission");
}

}  // namespace
}  // namespace tcpscope
