#include "app/session/polled_session.h"

#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/trace_values.h"

namespace tcpscope {

Expected<std::unique_ptr<PolledSession>, SystemError> PolledSession::open(const LocalPlace& place,
                                                                          const LocalSessionSettings& settings) {
  auto poller = openPoller(place);
  if (!poller) return Unexpected<SystemError>(poller.error());
  return std::unique_ptr<PolledSession>(new PolledSession(place, settings, std::move(*poller)));
}

PolledSession::PolledSession(const LocalPlace& place, const LocalSessionSettings& settings,
                             std::unique_ptr<SockDiagPoller> poller)
    : m_session(settings.budget),
      m_poller(std::move(poller)),
      m_place(place.place.id),
      m_settings(place.watchSettings()) {
  m_session.setPlaces({place.place}, clockPairNow());
  m_session.setControl(settings.control);
  if (settings.resolveOwners) m_answers = answersFromProc();
  if (place.andOthers) m_others.emplace(place);
}

bool PolledSession::poll() {
  const ObservationSink sink = [this](ObservationBatch&& batch) {
    accept(batch);
    if (m_answers) m_questions.note(batch);
    return true;
  };
  m_poller->takeDestroyed(sink);
  m_poller->pollOnce(sink);
  if (m_others) m_others->poll(sink);
  lookAtSettings();
  return !m_poller->isBroken();
}

void PolledSession::lookAtSettings() {
  constexpr std::chrono::seconds kPollInterval{1};
  const Moment now = monotonicNow();
  if (now < m_settingsDue) return;
  m_settingsDue = now + kPollInterval;
  ObservationBatch batch;
  batch.changeMarks = m_settings.poll(now);
  if (batch.changeMarks.empty()) return;
  batch.place = m_place;
  batch.settings = std::make_shared<const SysctlValues>(sysctlValues(m_settings.facts()));
  accept(batch);
}

void PolledSession::accept(const ObservationBatch& batch) {
  m_session.accept(batch);
  if (m_recorder) m_recorder->take(ObservationBatch(batch));
}

void PolledSession::recordInto(std::shared_ptr<SessionRecorder> recorder) {
  m_recorder = std::move(recorder);
  if (m_recorder) m_recorder->take(m_session.known(m_place));
}

void PolledSession::askProcesses() {
  if (!m_answers) return;
  answer();
  askAboutPrograms();
  answer();
}

void PolledSession::answer() {
  if (m_questions.empty()) return;
  ObservationBatch answers = m_answers(m_questions.take(), {});
  answers.place = m_place;
  accept(answers);
}

void PolledSession::askAboutPrograms() {
  const auto snapshot = tick();
  for (const std::uint32_t slot : *snapshot->order) {
    const ConnectionRow row = snapshot->row(slot);
    const Owner* owner = snapshot->owner(row);
    if (owner == nullptr || row.closed || row.limit == Limit::idle || row.limit == Limit::unknown) continue;
    if (const auto detail = m_session.detail(row.id)) {
      m_questions.ask(LiveOptionsQuestion{row.id, detail->socket.inode, owner->pid});
      m_questions.ask(WaitsQuestion{row.id, owner->pid});
    }
  }
}

std::shared_ptr<const SessionSnapshot> PolledSession::tick() {
  return m_session.tick(monotonicNow());
}

std::vector<PathSighting> PolledSession::takePathSightings(PathPoll when) {
  return m_session.takePathSightings(when, monotonicNow());
}

std::vector<std::shared_ptr<const ConnectionDetail>> PolledSession::details(const SessionSnapshot& snapshot) const {
  return detailsOf(m_session, snapshot);
}

}  // namespace tcpscope
