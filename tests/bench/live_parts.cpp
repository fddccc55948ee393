#include "tests/bench/live_parts.h"

#include <fmt/core.h>

#include <cstdlib>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/bench/measurement.h"

namespace tcpscope::bench {

LiveParts::LiveParts() {
  auto poller = SockDiagPoller::open(ownSockDiagAccess(), SockDiagSettings{});
  if (!poller) giveUp("the kernel gives no diagnosis socket");
  m_poller = std::move(*poller);
  SessionControl control;
  control.keepClosed = false;
  m_session.setControl(control);
}

void LiveParts::cycle() {
  const double began = threadCpuSeconds();
  m_changed = 0;
  m_accepting = 0.0;
  const ObservationSink sink = [this](ObservationBatch&& batch) {
    const double before = threadCpuSeconds();
    m_changed += batch.changed.size();
    m_session.accept(batch);
    m_accepting += threadCpuSeconds() - before;
    return true;
  };
  m_poller->takeDestroyed(sink);
  m_poller->pollOnce(sink);
  const double collected = threadCpuSeconds();
  m_snapshot = m_session.tick(monotonicNow());
  m_ticking = threadCpuSeconds() - collected;
  m_collecting = collected - began - m_accepting;
}

void LiveParts::giveOwners() {
  ObservationBatch batch;
  std::int32_t program = 0;
  for (const std::uint32_t slot : *m_snapshot->order) {
    program = (program + 1) % 100;
    OwnerObservation& observed = batch.owners.emplace_back();
    observed.id = m_snapshot->row(slot).id;
    observed.owner.pid = 1000 + program;
    observed.owner.processName = UntrustedText(fmt::format("server-{}", program));
  }
  m_session.accept(batch);
}

SocketAddress LiveParts::anyConnection() const {
  for (const std::uint32_t slot : *m_snapshot->order) {
    const ConnectionRow row = m_snapshot->row(slot);
    if (row.state == TcpState::established) return {row.id, row.local, row.remote, 0};
  }
  giveUp("there is no connection to look at");
}

}  // namespace tcpscope::bench
