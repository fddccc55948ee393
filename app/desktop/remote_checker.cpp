#include "app/desktop/remote_checker.h"

#include <utility>

#include "app/desktop/background_work.h"
#include "core/base/escape.h"

namespace tcpscope {

void RemoteChecker::poll(RemoteHost host, const CheckupSubject& subject) {
  take();
  const bool isSame = m_known && m_known->host.address == host.address;
  if (!isSame) m_known = Known{host, subject.remote, subject.pid};
  const bool isBack = host.isConnected && !m_known->host.isConnected;
  m_known->host = std::move(host);
  m_known->peer = subject.remote;
  m_known->pid = subject.pid;
  if (isBack && m_known->checked && !*m_known->checked) m_known->checked.reset();
  if (!m_known->checked && m_known->host.isConnected) check(std::nullopt);
}

void RemoteChecker::check(const std::optional<IpAddress>& probed) {
  take();
  if (!m_known || m_checking.valid()) return;
  m_address = m_known->host.address;
  m_order = {};
  m_order.pid = m_known->pid;
  if (probed) m_order.path = probed->toString();
  m_checking = postTo(m_background, [this, address = m_address, order = m_order](const std::stop_token& stop) {
    return m_check(address, order, stop);
  });
}

void RemoteChecker::take() {
  if (!isThere(m_checking)) return;
  auto checked = m_checking.get();
  // Another host may be looked at by now.
  if (!m_known || m_known->host.address != m_address) return;
  m_known->probeError.clear();
  const bool isOfProbe = !checked && !m_order.path.empty() && m_known->checked && *m_known->checked;
  if (isOfProbe) {
    // The check-up before it is as good as ever.
    m_known->probeError = checked.error();
    return;
  }
  m_known->checked = std::move(checked);
  m_known->order = m_order;
}

HostCheckupState RemoteChecker::state() {
  take();
  HostCheckupState state;
  if (!m_known) return state;
  state.host = forPlainText(UntrustedText(m_known->host.address));
  state.isChecking = m_checking.valid();
  state.isProbing = state.isChecking && !m_order.path.empty();
  state.reachable = m_known->peer;
  state.probeError = m_known->probeError;
  const auto& checked = m_known->checked;
  if (checked && *checked) {
    const bool isOfProcess = m_known->order.pid == m_known->pid;
    const bool isOfPeer = m_known->order.path == m_known->peer.toString();
    for (const CheckRow& row : (*checked)->rows) {
      const bool isOfPath = row.id == CheckId::hops || row.id == CheckId::pathMtu;
      if (row.layer == CheckLayer::application && !isOfProcess) continue;
      if (!isOfPath || isOfPeer) state.rows.push_back(row);
    }
    state.observedFor = (*checked)->window;
    state.leftOut = (*checked)->leftOut;
  }
  if (checked && !*checked) state.notice = checked->error();
  if (!m_known->host.isConnected) state.notice = "the agent on " + state.host + " is disconnected";
  return state;
}

}  // namespace tcpscope
