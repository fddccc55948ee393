#include "app/session/recording_survey.h"

#include <gtest/gtest.h>

#include "tests/support/json_schema.h"
#include "tests/support/written_recording.h"

namespace tcpscope {
namespace {

TEST(RecordingSurvey, KnowsTheEndAndWhatWasChanged) {
  const test::TemporaryFile file("");
  const test::WrittenMinute written(file.path());
  auto cursor = RecordingCursor::open(file.path(), PlaceId{0});
  ASSERT_TRUE(cursor.has_value());
  const RecordingSurvey found = survey(*cursor, {});
  EXPECT_EQ(found.end, test::writtenBegin() + test::kWrittenSpan);
  ASSERT_EQ(found.marks.size(), 1U);
  EXPECT_EQ(found.marks[0].time, test::writtenBegin() + test::kWrittenChangeAt);
}

TEST(RecordingSurvey, OfSeveralEndsWhereTheLastDoes) {
  ChangeMark early;
  early.time = Moment::fromNanoseconds(1);
  ChangeMark late;
  late.time = Moment::fromNanoseconds(2);
  const RecordingSurvey all = together({Moment::fromNanoseconds(9), {late}}, {Moment::fromNanoseconds(5), {early}});
  EXPECT_EQ(all.end, Moment::fromNanoseconds(9));
  EXPECT_EQ(all.marks, (std::vector<ChangeMark>{early, late}));
}

}  // namespace
}  // namespace tcpscope
