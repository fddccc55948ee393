#include "app/desktop/host_checker.h"

#include "app/changes/transport/command_route.h"
#include "app/desktop/background_work.h"
#include "collectors/host/host_reading_reader.h"
#include "collectors/host/path_prober.h"
#include "collectors/host/process_reading_reader.h"
#include "core/host/path_checks.h"
#include "core/present/text/error_text.h"

namespace tcpscope {

CheckupSources CheckupSources::ofThisHost(std::function<std::optional<RemoteHost>(PlaceId)> remoteHost) {
  return {[] { return tcpscope::readHost(); },
          [](std::uint32_t pid) { return tcpscope::readProcess("/", pid); },
          [](const IpAddress& remote, const std::stop_token& stop) { return tcpscope::probePath(remote, stop); },
          [](const Place& place) { return tcpscope::isOwnPlace(place); },
          std::move(remoteHost),
          tcpscope::checkRemoteHost};
}

void HostChecker::poll(const std::optional<CheckupSubject>& subject) {
  take();
  auto remote = subject && m_sources.remoteHost ? m_sources.remoteHost(subject->place.id) : std::nullopt;
  m_isRemote = remote.has_value();
  if (remote) return m_remote.poll(std::move(*remote), *subject);
  m_subject = subject && m_sources.isOwnPlace(subject->place) ? subject : std::nullopt;
  if (m_pending.valid()) return;
  const auto pid = m_subject ? m_subject->pid : std::nullopt;
  m_pending = postTo(m_background, [this, pid](const std::stop_token&) {
    Reading reading{m_sources.readHost(), {}};
    if (pid) reading.program = ProgramReading{*pid, m_sources.readProcess(*pid)};
    return reading;
  });
}

void HostChecker::probe(const IpAddress& remote) {
  take();
  if (m_isRemote) return m_remote.check(remote);
  if (m_probing.valid()) return;
  m_probed = remote;
  m_path.reset();
  m_probing =
      postTo(m_prober, [this, remote](const std::stop_token& stop) { return m_sources.probePath(remote, stop); });
}

void HostChecker::restart() {
  take();
  if (m_isRemote) return m_remote.check(std::nullopt);
  m_first.reset();
  m_firstOfProgram.reset();
}

std::shared_ptr<const HostCheckupState> HostChecker::state() {
  take();
  if (m_isRemote) return std::make_shared<HostCheckupState>(m_remote.state());
  if (!m_isKnown) return nullptr;
  HostCheckupState state = m_state;
  if (m_subject) state.reachable = m_subject->remote;
  if (!m_probed || state.reachable != m_probed) return std::make_shared<HostCheckupState>(std::move(state));
  state.isProbing = m_probing.valid();
  if (m_path && *m_path) addPathChecks(state.rows, UntrustedText(m_probed->toString()), **m_path);
  if (m_path && !*m_path) state.probeError = sentence(m_path->error());
  return std::make_shared<HostCheckupState>(std::move(state));
}

void HostChecker::take() {
  if (isThere(m_probing)) m_path = m_probing.get();
  if (isThere(m_pending)) takeReading(m_pending.get());
}

void HostChecker::takeReading(Reading reading) {
  if (!m_first) {
    m_first = std::move(reading.host);
    m_firstOfProgram = std::move(reading.program);
    return;
  }
  m_state.rows = checkUp(*m_first, reading.host);
  m_state.observedFor = reading.host.at - m_first->at;
  addProgram(m_state.rows, reading.program);
  m_isKnown = true;
}

/// A program that was not looked at before has its first reading now.
void HostChecker::addProgram(std::vector<CheckRow>& rows, const std::optional<ProgramReading>& after) {
  const bool isSame = after && m_firstOfProgram && m_firstOfProgram->pid == after->pid;
  if (!isSame) {
    m_firstOfProgram = after;
    return;
  }
  std::vector<CheckRow> ofProgram = checkUpProcess(m_firstOfProgram->reported, after->reported);
  std::move(ofProgram.begin(), ofProgram.end(), std::back_inserter(rows));
}

}  // namespace tcpscope
