#include "app/session/replay.h"

#include <algorithm>

#include "core/base/invariant.h"

namespace tcpscope {

namespace {

/// One looks at any connection later.
std::unique_ptr<AnalysisSession> emptySession() {
  SessionBudget budget;
  budget.keepsEveryHistory = true;
  return std::make_unique<AnalysisSession>(budget);
}

}  // namespace

Expected<std::unique_ptr<Replay>, SystemError> Replay::open(std::span<const std::filesystem::path> paths,
                                                            const SessionControl& control, PlaceId firstPlace) {
  TCPSCOPE_INVARIANT(!paths.empty());
  auto courses = openCourses(paths, firstPlace);
  if (!courses) return Unexpected<SystemError>(courses.error());
  return std::unique_ptr<Replay>(new Replay(std::move(*courses), control));
}

Replay::Replay(std::vector<RecordingCourse> courses, const SessionControl& control)
    : m_courses(std::move(courses)), m_control(control) {
  const auto first = std::min_element(m_courses.begin(), m_courses.end(), [](const auto& one, const auto& other) {
    return one.hello().clock.monotonic < other.hello().clock.monotonic;
  });
  m_clock = first->hello().clock;
  beginAnew();
}

void Replay::setControl(const SessionControl& control) {
  m_control = control;
  m_session->setControl(control);
}

RecordingCourse* Replay::earliest() {
  RecordingCourse* found = nullptr;
  for (RecordingCourse& course : m_courses) {
    const auto next = course.next();
    if (next && (found == nullptr || *next < *found->next())) found = &course;
  }
  return found;
}

bool Replay::readUntil(Moment recorded, std::size_t most, PublishPacer& pacer) {
  std::size_t read = 0;
  for (RecordingCourse* course = earliest(); course != nullptr; course = earliest()) {
    const Moment next = *course->next();
    if (next > recorded) return true;
    if (read >= most) return false;
    const ObservationBatch batch = course->take();
    m_upTo = std::max(m_upTo, next);
    m_session->accept(batch);
    pacer.note(batch);
    read += batch.changed.size() + 1;
  }
  return true;
}

bool Replay::canRewind() const {
  return std::all_of(m_courses.begin(), m_courses.end(), [](const auto& course) { return course.canRewind(); });
}

void Replay::rewind() {
  for (RecordingCourse& course : m_courses) course.rewind();
  beginAnew();
}

void Replay::beginAnew() {
  std::vector<Place> places;
  for (const RecordingCourse& course : m_courses) places.push_back(course.hello().place);
  m_upTo = m_clock.monotonic;
  m_session = emptySession();
  m_session->setPlaces(std::move(places), m_clock);
  m_session->setControl(m_control);
}

}  // namespace tcpscope
