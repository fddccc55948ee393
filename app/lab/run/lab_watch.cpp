#include "app/lab/run/lab_watch.h"

#include "app/remote/agents_session.h"

namespace tcpscope::lab {

namespace {

constexpr Milliseconds kSamplingInterval{100};

bool isSame(const Endpoint& one, const Endpoint& other) {
  return one.port == other.port && one.address.unmapped() == other.address.unmapped();
}

}  // namespace

Expected<std::unique_ptr<LabWatch>, SystemError> LabWatch::start(const LabProcess& lab, Nanoseconds verdictSpan) {
  std::vector<AgentPipes> pipes;
  for (const AgentPipe& agent : lab.agents()) {
    pipes.push_back({agent.host, agent.framesDescriptor, agent.requestsDescriptor});
  }
  AgentsSessionSettings settings;
  settings.control.listInterval = kSamplingInterval;
  settings.budget.verdictWindow = verdictSpan;
  auto session = openAgentsSession(pipes, settings);
  if (!session) return Unexpected<SystemError>(session.error());
  return std::unique_ptr<LabWatch>(new LabWatch(std::move(*session), settings.control));
}

void LabWatch::follow(const std::vector<TransferRecord>& transfers) {
  // Full records of hundreds of connections would show no more.
  constexpr std::size_t kMost = 32;
  m_followed = transfers;
  if (m_followed.size() > kMost) m_followed.resize(kMost);
  const auto snapshot = m_session->latest();
  if (!snapshot) return;
  SessionControl control = m_control;
  for (const std::uint32_t slot : *snapshot->order) {
    const ConnectionRow& row = snapshot->row(slot);
    for (const TransferRecord& transfer : m_followed) {
      const bool isSender = isSame(row.local, transfer.source) && isSame(row.remote, transfer.destination);
      const bool isReceiver = isSame(row.local, transfer.destination) && isSame(row.remote, transfer.source);
      if (isSender || isReceiver) control.pinned.insert(row.id);
    }
  }
  if (control.pinned == m_control.pinned) return;
  m_control = control;
  m_session->setControl(m_control);
}

bool LabWatch::seesAll() const {
  return !m_followed.empty() && m_control.pinned.size() == 2 * m_followed.size();
}

bool LabWatch::knows(Moment moment) const {
  const auto snapshot = m_session->latest();
  return snapshot && snapshot->time >= moment;
}

DetailPointer LabWatch::detailOf(const SessionSnapshot& snapshot, const Endpoint& local, const Endpoint& remote) const {
  for (const auto& [id, detail] : snapshot.details) {
    if (isSame(detail->socket.local, local) && isSame(detail->socket.remote, remote)) return detail;
  }
  return nullptr;
}

std::vector<WatchedTransfer> LabWatch::transfers() const {
  std::vector<WatchedTransfer> found;
  const auto snapshot = m_session->latest();
  for (const TransferRecord& transfer : m_followed) {
    WatchedTransfer one;
    if (snapshot) {
      one.sender = detailOf(*snapshot, transfer.source, transfer.destination);
      one.receiver = detailOf(*snapshot, transfer.destination, transfer.source);
    }
    found.push_back(std::move(one));
  }
  return found;
}

std::vector<Place> LabWatch::places() const {
  const auto snapshot = m_session->latest();
  return snapshot ? snapshot->places : std::vector<Place>();
}

}  // namespace tcpscope::lab
