#include "app/lab/run/campaign_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope::lab {
namespace {

using testing::ElementsAre;

LabFigures runWithLateness(Microseconds p999, Microseconds worst) {
  LabFigures figures;
  figures.goodput = BitsPerSecond(90e6);
  figures.lateness = {p999, worst};
  return figures;
}

std::vector<std::string> latenessNotes(const std::vector<LabCell>& cells, bool isCampaign = true) {
  std::vector<std::string> notes;
  addLatenessNotes(cells, isCampaign, notes);
  return notes;
}

const LabFigures kInTime = runWithLateness(Microseconds(2000), Microseconds(40'000));
const LabFigures kLateRun = runWithLateness(Microseconds(2500), Microseconds(3000));
const LabFigures kLaterRun = runWithLateness(Microseconds(3500), Microseconds(12'000));

TEST(LatenessNotes, CountTheRunsThatAreLeftOut) {
  const std::vector<LabSetting> delay = {{"path.delay", "25 ms"}};
  EXPECT_THAT(latenessNotes({cellOf(delay, {kInTime, kLateRun, kInTime, kLaterRun}), cellOf(delay, {kInTime})}),
              ElementsAre("path.delay 25 ms: 2 of 4 runs left out, the machine was too slow: one packet in a thousand "
                          "was late by 3.50 ms or more, the worst by 12.0 ms"));
}

TEST(LatenessNotes, LeaveTheFiguresOfASingleRun) {
  EXPECT_THAT(latenessNotes({cellOf({}, {kLateRun})}, false),
              ElementsAre("the machine was too slow: one packet in a thousand was late by 2.50 ms or more, the worst "
                          "by 3.00 ms"));
  EXPECT_THAT(latenessNotes({cellOf({}, {kInTime})}, false), ElementsAre());
}

TEST(LatenessNotes, CountTheOneRunOfACampaignThatWasInterrupted) {
  EXPECT_THAT(latenessNotes({cellOf({}, {kLateRun})}),
              ElementsAre(testing::StartsWith("1 of 1 run left out, the machine was too slow")));
}

TEST(LatenessNotes, FitNoEquationToLateRuns) {
  std::vector<LabCell> cells;
  for (const char* const delay : {"15 ms", "25 ms", "50 ms"}) {
    cells.push_back(cellOf({{"flows", "1"}, {"path.delay", delay}}, {kLateRun}));
  }
  std::vector<std::string> notes;
  addFitNotes(cells, notes);
  EXPECT_THAT(notes, ElementsAre());
}

}  // namespace
}  // namespace tcpscope::lab
