#include "ui/feed/control_state.h"

namespace tcpscope {

ControlState::ControlState(SessionPort& port, QObject* parent) : QObject(parent), m_port(port) {}

void ControlState::change(const std::function<void(SessionControl&)>& edit) {
  edit(m_control);
  m_port.setControl(m_control);
  emit controlChanged();
}

}  // namespace tcpscope
