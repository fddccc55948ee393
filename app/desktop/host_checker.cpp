#include "app/desktop/host_checker.h"

#include "app/changes/transport/command_route.h"
#include "app/desktop/background_work.h"
#include "collectors/host/host_reading_reader.h"
#include "collectors/host/path_prober.h"
#include "collectors/host/process_reading_reader.h"
#include "core/base/escape.h"
#include "core/host/path_checks.h"
#include "core/present/text/error_text.h"

namespace tcpscope {

CheckupSources CheckupSources::ofThisHost(std::function<std::optional<RemoteHost>(PlaceId)> remoteHost) {
  return {[] { return tcpscope::readHost(); },
          [](std::uint32_t pid) { return tcpscope::readProcess("/", pid); },
          [](const IpAddress& remote, const std::stop_token& stop) { return tcpscope::probePath(remote, stop); },
          [](const Place& place) { return tcpscope::isOwnPlace(place); },
          std::move(remoteHost),
          tcpscope::checkThere};
}

void HostChecker::poll(const std::optional<CheckupSubject>& subject) {
  take();
  auto there = subject && m_sources.remoteHost ? m_sources.remoteHost(subject->place.id) : std::nullopt;
  m_isThere = there.has_value();
  if (there) return pollThere(std::move(*there), *subject);
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
  if (m_isThere && !m_checking.valid()) {
    return checkThere(remote);
  }
  if (m_isThere || m_probing.valid()) return;
  m_probed = remote;
  m_path.reset();
  m_probing =
      postTo(m_prober, [this, remote](const std::stop_token& stop) { return m_sources.probePath(remote, stop); });
}

void HostChecker::restart() {
  take();
  if (m_isThere) {
    if (!m_checking.valid()) checkThere(std::nullopt);
    return;
  }
  m_first.reset();
  m_firstOfProgram.reset();
}

std::shared_ptr<const HostCheckupState> HostChecker::state() {
  take();
  if (m_isThere) return std::make_shared<HostCheckupState>(stateThere());
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
  if (isThere(m_checking)) takeChecked(m_checking.get());
}

void HostChecker::takeChecked(Expected<HostCheckup, std::string> checked) {
  // The subject may be another one by now.
  if (!m_there || m_there->host.address != m_checkedAddress) return;
  m_there->probeError.clear();
  const bool isOfProbe = !checked && !m_order.path.empty() && m_there->checked && *m_there->checked;
  if (isOfProbe) {
    // The check-up before it is as good as ever.
    m_there->probeError = checked.error();
    return;
  }
  m_there->checked = std::move(checked);
  m_there->order = m_order;
}

void HostChecker::pollThere(RemoteHost host, const CheckupSubject& subject) {
  const bool isSame = m_there && m_there->host.address == host.address;
  if (!isSame) m_there = There{host, subject.remote, subject.pid};
  const bool isBack = host.isConnected && !m_there->host.isConnected;
  m_there->host = std::move(host);
  m_there->remote = subject.remote;
  m_there->pid = subject.pid;
  if (isBack && m_there->checked && !*m_there->checked) m_there->checked.reset();
  if (!m_there->checked && m_there->host.isConnected && !m_checking.valid()) checkThere(std::nullopt);
}

void HostChecker::checkThere(const std::optional<IpAddress>& probed) {
  m_checkedAddress = m_there->host.address;
  m_order = {};
  m_order.pid = m_there->pid;
  if (probed) m_order.path = probed->toString();
  m_checking = postTo(m_elsewhere, [this, address = m_checkedAddress, order = m_order](const std::stop_token& stop) {
    return m_sources.checkThere(address, order, stop);
  });
}

HostCheckupState HostChecker::stateThere() const {
  HostCheckupState state;
  state.host = forPlainText(UntrustedText(m_there->host.address));
  state.isChecking = m_checking.valid();
  state.isProbing = state.isChecking && !m_order.path.empty();
  state.reachable = m_there->remote;
  state.probeError = m_there->probeError;
  const auto& checked = m_there->checked;
  if (checked && *checked) {
    const bool isOfProcess = m_there->order.pid == m_there->pid;
    const bool isOfPeer = m_there->order.path == m_there->remote.toString();
    for (const CheckRow& row : (*checked)->rows) {
      const bool isOfPath = row.id == CheckId::hops || row.id == CheckId::pathMtu;
      if (row.layer == CheckLayer::application && !isOfProcess) continue;
      if (!isOfPath || isOfPeer) state.rows.push_back(row);
    }
    state.observedFor = (*checked)->window;
    state.leftOut = (*checked)->leftOut;
  }
  if (checked && !*checked) state.notice = checked->error();
  if (!m_there->host.isConnected) state.notice = "the agent on " + state.host + " is disconnected";
  return state;
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
