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
  auto session = open(path, control, wholeRecording());
  if (session) (*session)->readUntil(Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::max()));
  return session;
}

Expected<std::unique_ptr<RecordedSession>, SystemError> RecordedSession::open(const std::filesystem::path& path,
                                                                              const SessionControl& control,
                                                                              const SessionBudget& budget) {
  auto cursor = RecordingCursor::open(path, PlaceId{0});
  if (!cursor) return Unexpected<SystemError>(cursor.error());
  return std::unique_ptr<RecordedSession>(new RecordedSession(std::move(*cursor), control, budget));
}

RecordedSession::RecordedSession(RecordingCursor cursor, const SessionControl& control, const SessionBudget& budget)
    : m_cursor(std::move(cursor)), m_session(forUntrustedPlace(budget)) {
  m_session.setPlaces({place()}, clock());
  m_session.setControl(control);
}

bool RecordedSession::readUntil(Moment recorded) {
  while (const auto next = m_cursor.next()) {
    if (*next > recorded) return true;
    const ObservationBatch batch = m_cursor.take();
    noteDamage(batch);
    m_session.accept(batch);
  }
  return false;
}

void RecordedSession::noteDamage(const ObservationBatch& batch) {
  m_endsInDamage = std::any_of(batch.gaps.begin(), batch.gaps.end(),
                               [](const CollectionGap& gap) { return gap.kind == GapKind::damagedFrame; });
  if (!m_endsInDamage) return;
  ++m_damages;
  if (!m_firstDamage) m_firstDamage = m_cursor.upTo();
}

RecordingFacts RecordedSession::facts() const {
  RecordingFacts facts;
  facts.note = m_cursor.note();
  facts.program = m_cursor.hello().program;
  facts.begun = clock().wall;
  facts.length = m_cursor.upTo() - clock().monotonic;
  facts.isCut = m_endsInDamage;
  facts.damagedPieces = m_damages - (m_endsInDamage ? 1 : 0);
  if (m_firstDamage) facts.firstDamage = *m_firstDamage - clock().monotonic;
  return facts;
}

std::shared_ptr<const SessionSnapshot> RecordedSession::at(Moment recorded) {
  return m_session.tick(m_cursor.next() ? recorded : std::min(recorded, m_cursor.upTo()));
}

std::shared_ptr<const SessionSnapshot> RecordedSession::atEnd() {
  return m_session.tick(m_cursor.upTo());
}

std::vector<std::shared_ptr<const ConnectionDetail>> RecordedSession::details(const SessionSnapshot& snapshot) const {
  return detailsOf(m_session, snapshot);
}

std::vector<std::shared_ptr<const ConnectionDetail>> detailsOf(const AnalysisSession& session,
                                                               const SessionSnapshot& snapshot, std::size_t most) {
  std::vector<std::shared_ptr<const ConnectionDetail>> found;
  found.reserve(std::min(most, snapshot.order->size()));
  for (const std::uint32_t slot : *snapshot.order) {
    if (found.size() == most) break;
    if (auto detail = session.detail(snapshot.row(slot).id)) found.push_back(std::move(detail));
  }
  return found;
}

}  // namespace tcpscope
