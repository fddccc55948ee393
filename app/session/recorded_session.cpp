#include "app/session/recorded_session.h"

#include <algorithm>
#include <limits>

namespace tcpscope {

namespace {

SessionBudget wholeRecording() {
  SessionBudget budget;
  budget.verdictWindow = std::chrono::hours(24 * 365);
  return budget;
}

}  // namespace

Expected<std::unique_ptr<RecordedSession>, SystemError> RecordedSession::read(const std::filesystem::path& path,
                                                                              const SessionControl& control) {
  auto session = open(path, control, wholeRecording());
  if (session) (*session)->readUntil(Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::max()));
  return session;
}

Expected<std::unique_ptr<RecordedSession>, SystemError> RecordedSession::open(const std::filesystem::path& path,
                                                                              const SessionControl& control,
                                                                              const SessionBudget& budget) {
  auto reader = RecordingReader::open(path, PlaceId{0});
  if (!reader) return Unexpected<SystemError>(reader.error());
  return std::unique_ptr<RecordedSession>(new RecordedSession(std::move(*reader), control, budget));
}

RecordedSession::RecordedSession(std::unique_ptr<RecordingReader> reader, const SessionControl& control,
                                 const SessionBudget& budget)
    : m_reader(std::move(reader)), m_session(budget), m_end(m_reader->hello().clock.monotonic) {
  m_session.setPlaces({m_reader->hello().place}, m_reader->hello().clock);
  m_session.setControl(control);
}

bool RecordedSession::readUntil(Moment recorded) {
  while (true) {
    while (!m_next) {
      std::optional<TraceValue> value = m_reader->next();
      if (!value) return false;
      m_next = observationsOf(std::move(*value), place().id);
    }
    // What names no moment belongs to what came before it.
    const Moment latest = std::max(m_end, latestMoment(*m_next).value_or(m_end));
    if (latest > recorded) return true;
    m_end = latest;
    m_session.accept(*m_next);
    m_next.reset();
  }
}

std::shared_ptr<const SessionSnapshot> RecordedSession::at(Moment recorded) {
  return m_session.tick(m_next ? recorded : std::min(recorded, m_end));
}

std::shared_ptr<const SessionSnapshot> RecordedSession::atEnd() {
  return m_session.tick(m_end);
}

std::vector<std::shared_ptr<const ConnectionDetail>> RecordedSession::details(const SessionSnapshot& snapshot) const {
  return detailsOf(m_session, snapshot);
}

std::vector<std::shared_ptr<const ConnectionDetail>> detailsOf(const AnalysisSession& session,
                                                               const SessionSnapshot& snapshot) {
  std::vector<std::shared_ptr<const ConnectionDetail>> found;
  found.reserve(snapshot.order->size());
  for (const std::uint32_t slot : *snapshot.order) {
    if (auto detail = session.detail(snapshot.row(slot).id)) found.push_back(std::move(detail));
  }
  return found;
}

}  // namespace tcpscope
