// Places in the course of a recording to which one comes back.
#include "app/session/recording_cursor.h"

#include "tests/app/session/played_recording.h"

namespace tcpscope {
namespace {

class RecordingCursorTest : public test::PlayedRecording {};

/// A batch of a course, and where the course was before it.
struct CursorStep {
  std::vector<std::byte> batch;
  std::optional<CursorPosition> before;
};

std::vector<CursorStep> stepsOf(RecordingCursor& cursor) {
  std::vector<CursorStep> steps;
  while (cursor.next()) {
    CursorStep step;
    step.before = cursor.position();
    TraceWriter writer(step.batch);
    writer.write(cursor.take());
    steps.push_back(std::move(step));
  }
  return steps;
}

/// A cursor that returns to a position reads the same as one that stayed.
void expectExactPositions(const std::filesystem::path& path, std::size_t atLeast) {
  auto stayed = RecordingCursor::open(path, PlaceId{0});
  auto back = RecordingCursor::open(path, PlaceId{0});
  ASSERT_TRUE(stayed && back);
  const std::vector<CursorStep> steps = stepsOf(*stayed);
  std::size_t positions = 0;
  for (std::size_t at = 0; at < steps.size(); at += 7) {
    if (!steps[at].before) continue;
    ++positions;
    ASSERT_TRUE(back->goTo(*steps[at].before)) << at;
    const std::vector<CursorStep> rest = stepsOf(*back);
    ASSERT_EQ(rest.size(), steps.size() - at) << at;
    for (std::size_t step = 0; step < rest.size(); ++step) ASSERT_EQ(rest[step].batch, steps[at + step].batch) << at;
  }
  EXPECT_GE(positions, atLeast);
  const auto atEnd = stayed->position();
  ASSERT_TRUE(atEnd);
  ASSERT_TRUE(back->goTo(*atEnd));
  EXPECT_FALSE(back->next());
}

TEST_F(RecordingCursorTest, PositionsAreExact) {
  expectExactPositions(m_file.path(), 50);
  expectExactPositions(test::Ring().path(), 30);
  expectExactPositions(test::testData() / "recordings" / "version1-frames.tcpscope", 1);
}

TEST_F(RecordingCursorTest, PositionsInADamagedRecordingAreExact) {
  test::damage(m_file.path());
  expectExactPositions(m_file.path(), 30);
  std::filesystem::resize_file(m_file.path(), std::filesystem::file_size(m_file.path()) * 2 / 3);
  expectExactPositions(m_file.path(), 30);
}

}  // namespace
}  // namespace tcpscope
