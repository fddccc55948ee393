// What the user wants of the session. Each change is posted to the port as one whole value, at once.
#pragma once

#include <QObject>
#include <functional>

#include "core/session/session_port.h"

namespace tcpscope {

class ControlState : public QObject {
  Q_OBJECT
public:
  explicit ControlState(SessionPort& port, QObject* parent = nullptr);

  [[nodiscard]] const SessionControl& control() const { return m_control; }
  /// Changes what `edit` changes and posts the result.
  void change(const std::function<void(SessionControl&)>& edit);

signals:
  void controlChanged();

private:
  SessionPort& m_port;
  SessionControl m_control;
};

}  // namespace tcpscope
