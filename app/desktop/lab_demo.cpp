#include "app/desktop/lab_demo.h"

#include <algorithm>

#include "app/desktop/background_work.h"
#include "core/present/text/lab_text.h"

namespace tcpscope {

namespace {

/// The host's own places come before.
constexpr std::uint32_t kFirstDemoPlace = 16;
constexpr std::uint32_t kMostHosts = 64;
/// The span that verdicts look back over is free of the transfer's beginning by then.
constexpr Nanoseconds kJudgedAfter = std::chrono::seconds(3);

bool isSame(const Endpoint& one, const Endpoint& other) {
  return one.port == other.port && one.address.unmapped() == other.address.unmapped();
}

/// Whatever the list's filter leaves out.
std::optional<ConnectionId> endWith(const SessionSnapshot& snapshot, const Endpoint& local, const Endpoint& remote) {
  for (const auto& page : snapshot.facts) {
    const auto found = std::find_if(page->begin(), page->end(), [&](const ConnectionFacts& row) {
      return isSame(row.local, local) && isSame(row.remote, remote);
    });
    if (found != page->end()) return found->id;
  }
  return std::nullopt;
}

}  // namespace

LabDemo::LabDemo(SwitchedSession& shown, DemoSources sources)
    : m_shown(shown), m_sources(std::move(sources)), m_demos(demoCatalogue()), m_nextPlace(kFirstDemoPlace) {
  m_scenarios.reserve(m_demos.size());
  for (const Demo& demo : m_demos) m_scenarios.push_back(descriptionOf(demo));
}

LabDemo::~LabDemo() {
  m_shown.showHome();
}

void LabDemo::start(std::size_t scenario) {
  stop();
  m_state.phase = DemoPhase::starting;
  m_state.scenario = scenario;
  const PlaceId firstPlace{m_nextPlace};
  m_nextPlace += kMostHosts;
  m_starting = postTo(m_background, [this, scenario, firstPlace](const std::stop_token&) {
    return startDemo(m_demos, scenario, m_sources, firstPlace);
  });
}

void LabDemo::stop() {
  leave();
  m_state = {};
}

void LabDemo::leave() {
  // A file may be shown by now.
  if (m_running && &m_shown.shown() == m_running->session.get()) m_shown.showHome();
  m_sender.reset();
  m_receiver.reset();
  m_watchedSince.reset();
  m_health = {};
  // What still starts ends when it has started: its result is not used.
  m_starting = {};
  if (m_running) m_background.post([running = std::move(m_running)](const std::stop_token&) {});
  m_running.reset();
}

void LabDemo::fail(const std::string& why) {
  leave();
  m_state.phase = DemoPhase::failed;
  m_state.notice = why;
  m_state.main.reset();
  m_state.verdict.clear();
}

DemoState LabDemo::state() {
  if (isThere(m_starting)) takeStarted();
  if (m_running && m_running->lab) lookAtHealth();
  if (m_running) judge();
  return m_state;
}

void LabDemo::takeStarted() {
  auto outcome = m_starting.get();
  if (!outcome) return fail(outcome.error());
  m_running = std::move(*outcome);
  m_state.phase = DemoPhase::running;
  m_state.scenario = m_running->demo;
  m_state.notice = m_running->notice;
  m_state.main = mainConnection(m_demos[m_running->demo]);
  m_shown.show(*m_running->session);
}

void LabDemo::lookAtHealth() {
  if (isThere(m_health)) {
    if (const std::optional<LabError> error = m_health.get()) return fail(sentence(*error));
  }
  if (m_health.valid()) return;
  m_health = postTo(m_background, [running = m_running](const std::stop_token&) -> std::optional<LabError> {
    const auto report = running->lab->report();
    if (report) return std::nullopt;
    return report.error();
  });
}

void LabDemo::judge() {
  const auto snapshot = m_running->session->latest();
  const Demo& demo = m_demos[m_running->demo];
  if (!snapshot || !demo.scenario.truth) return;
  if (!m_watchedSince) m_watchedSince = snapshot->time;
  if (!m_sender) m_sender = endWith(*snapshot, demo.local, demo.remote);
  if (!m_receiver) m_receiver = endWith(*snapshot, demo.remote, demo.local);
  m_state.verdict = lab::kStillLooking;
  // A SYN that does not arrive leaves no connection at the other end.
  const bool isOneSided = demo.scenario.truth->limit == Limit::opening && !m_receiver;
  if (!m_sender || (!m_receiver && !isOneSided)) return;
  std::set<ConnectionId> ends{*m_sender};
  if (m_receiver) ends.insert(*m_receiver);
  m_shown.follow(std::move(ends));
  const auto sender = snapshot->details.find(*m_sender);
  const auto receiver = isOneSided ? snapshot->details.end() : snapshot->details.find(*m_receiver);
  const bool isReceiverMissing = !isOneSided && receiver == snapshot->details.end();
  if (sender == snapshot->details.end() || isReceiverMissing) return;
  if (snapshot->time - *m_watchedSince < demo.scenario.warmUp + kJudgedAfter) return;
  m_state.verdict = lab::sentence(lab::agreementOf(*demo.scenario.truth, sender->second->diagnosis,
                                                   isOneSided ? ConnectionDiagnosis() : receiver->second->diagnosis));
}

}  // namespace tcpscope
