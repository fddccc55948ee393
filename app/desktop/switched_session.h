// The session that the window looks at, which may become another one and come back: the host's own at home, a demo's
// while one runs.
//
// For one thread, the GUI's. The window's control is kept and passed to each session that is shown.
#pragma once

#include <utility>

#include "core/session/session_port.h"

namespace tcpscope {

/// Where there is nothing to come back to.
class NoSession final : public SessionPort {
public:
  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return nullptr; }
  void setControl(const SessionControl&) override {}
};

class SwitchedSession final : public SessionPort {
public:
  /// `home` outlives this.
  explicit SwitchedSession(SessionPort& home) : m_home(home), m_shown(&home) {}

  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return m_shown->latest(); }
  void setControl(const SessionControl& control) override {
    m_control = control;
    post();
  }

  /// The caller owns `session`, which must live until another one is shown.
  void show(SessionPort& session) {
    if (m_control.capture) {
      // The packets belong to what was shown before.
      m_control.capture.reset();
      post();
    }
    m_shown = &session;
    m_followed.clear();
    post();
  }
  void showHome() { show(m_home); }
  [[nodiscard]] SessionPort& shown() const { return *m_shown; }
  /// The details of these connections, in addition to those that the window asks for.
  void follow(std::set<ConnectionId> connections) {
    if (connections == m_followed) return;
    m_followed = std::move(connections);
    post();
  }

private:
  void post() {
    SessionControl control = m_control;
    control.followed.insert(m_followed.begin(), m_followed.end());
    m_shown->setControl(control);
  }

  SessionPort& m_home;
  SessionPort* m_shown;
  SessionControl m_control;
  std::set<ConnectionId> m_followed;
};

}  // namespace tcpscope
