#include "app/session/recording_course.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tcpscope {

Expected<RecordingCourse, SystemError> RecordingCourse::open(const std::filesystem::path& path, PlaceId place) {
  auto reader = RecordingReader::open(path, place);
  if (!reader) return Unexpected<SystemError>(reader.error());
  RecordingCourse course(std::move(*reader));
  std::error_code unknown;
  course.m_canRewind = std::filesystem::is_regular_file(path, unknown);
  return course;
}

RecordingCourse::RecordingCourse(std::unique_ptr<RecordingReader> reader)
    : m_reader(std::move(reader)), m_upTo(hello().clock.monotonic) {}

std::optional<Moment> RecordingCourse::next() {
  while (!m_ahead) {
    std::optional<TraceValue> value = m_reader->next();
    if (!value) return std::nullopt;
    m_ahead = observationsOf(std::move(*value), hello().place.id);
    // What names no moment belongs to what came before it.
    if (m_ahead) m_aheadAt = std::max(m_upTo, latestMoment(*m_ahead).value_or(m_upTo));
  }
  return m_aheadAt;
}

ObservationBatch RecordingCourse::take() {
  m_upTo = m_aheadAt;
  return *std::exchange(m_ahead, std::nullopt);
}

void RecordingCourse::rewind() {
  m_reader->seek(Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::min()));
  m_ahead.reset();
  m_upTo = hello().clock.monotonic;
}

std::optional<CoursePosition> RecordingCourse::position() const {
  auto reader = m_canRewind ? m_reader->position() : std::nullopt;
  if (!reader) return std::nullopt;
  return CoursePosition{m_upTo, std::move(*reader), m_ahead, m_aheadAt};
}

bool RecordingCourse::goTo(const CoursePosition& position) {
  if (!m_reader->goTo(position.reader)) return false;
  m_upTo = position.upTo;
  m_ahead = position.ahead;
  m_aheadAt = position.aheadAt;
  return true;
}

Expected<std::vector<RecordingCourse>, SystemError> openCourses(std::span<const std::filesystem::path> paths,
                                                                PlaceId firstPlace) {
  std::vector<RecordingCourse> courses;
  std::uint32_t number = firstPlace.number;
  for (const std::filesystem::path& path : paths) {
    auto course = RecordingCourse::open(path, PlaceId{number++});
    if (!course) return Unexpected<SystemError>(course.error());
    courses.push_back(std::move(*course));
  }
  return courses;
}

}  // namespace tcpscope
