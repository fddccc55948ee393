// Places in the course of a recording to which one comes back.
#include "app/session/recording_course.h"

#include "tests/app/session/played_recording.h"

namespace tcpscope {
namespace {

class RecordingCourseTest : public test::PlayedRecording {};

/// A batch of a course, and where the course was before it.
struct CourseStep {
  std::vector<std::byte> batch;
  std::optional<CoursePosition> before;
};

std::vector<CourseStep> stepsOf(RecordingCourse& course) {
  std::vector<CourseStep> steps;
  while (course.next()) {
    CourseStep step;
    step.before = course.position();
    TraceWriter writer(step.batch);
    writer.write(course.take());
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Whoever comes back reads what whoever stayed did.
void expectExactPositions(const std::filesystem::path& path, std::size_t atLeast) {
  auto stayed = RecordingCourse::open(path, PlaceId{0});
  auto back = RecordingCourse::open(path, PlaceId{0});
  ASSERT_TRUE(stayed && back);
  const std::vector<CourseStep> steps = stepsOf(*stayed);
  std::size_t positions = 0;
  for (std::size_t at = 0; at < steps.size(); at += 7) {
    if (!steps[at].before) continue;
    ++positions;
    ASSERT_TRUE(back->goTo(*steps[at].before)) << at;
    const std::vector<CourseStep> rest = stepsOf(*back);
    ASSERT_EQ(rest.size(), steps.size() - at) << at;
    for (std::size_t step = 0; step < rest.size(); ++step) ASSERT_EQ(rest[step].batch, steps[at + step].batch) << at;
  }
  EXPECT_GE(positions, atLeast);
  const auto atEnd = stayed->position();
  ASSERT_TRUE(atEnd);
  ASSERT_TRUE(back->goTo(*atEnd));
  EXPECT_FALSE(back->next());
}

TEST_F(RecordingCourseTest, PositionsAreExact) {
  expectExactPositions(m_file.path(), 50);
  expectExactPositions(test::Ring().path(), 30);
  expectExactPositions(test::testData() / "recordings" / "version1-frames.tcpscope", 1);
}

TEST_F(RecordingCourseTest, PositionsInADamagedRecordingAreExact) {
  test::damage(m_file.path());
  expectExactPositions(m_file.path(), 30);
  std::filesystem::resize_file(m_file.path(), std::filesystem::file_size(m_file.path()) * 2 / 3);
  expectExactPositions(m_file.path(), 30);
}

}  // namespace
}  // namespace tcpscope
