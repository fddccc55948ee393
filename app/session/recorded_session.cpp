#include "app/session/recorded_session.h"

#include <algorithm>

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
  auto reader = RecordingReader::open(path, PlaceId{0});
  if (!reader) return Unexpected<SystemError>(reader.error());
  std::unique_ptr<RecordedSession> session(new RecordedSession(std::move(*reader), control));
  session->readAll();
  return session;
}

RecordedSession::RecordedSession(std::unique_ptr<RecordingReader> reader, const SessionControl& control)
    : m_reader(std::move(reader)), m_session(wholeRecording()), m_end(m_reader->hello().clock.monotonic) {
  m_session.setPlaces({m_reader->hello().place}, m_reader->hello().clock);
  m_session.setControl(control);
}

void RecordedSession::readAll() {
  while (const std::optional<TraceValue> value = m_reader->next()) {
    const auto* batch = std::get_if<ObservationBatch>(&*value);
    if (batch == nullptr) continue;
    m_session.accept(*batch);
    m_end = std::max(m_end, latestMoment(*batch).value_or(m_end));
  }
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
