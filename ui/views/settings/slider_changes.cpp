#include "ui/views/settings/slider_changes.h"

#include <utility>

namespace tcpscope {

bool SliderChanges::advance() {
  const HostChangeState state = m_port.state();
  if (!state.notice.empty() && m_isUnderWay) stop();
  switch (state.phase) {
    case HostChangePhase::previewing:
    case HostChangePhase::changing:
    case HostChangePhase::keeping:
    case HostChangePhase::undoing:
      return true;
    case HostChangePhase::previewed:
      if (!m_isUnderWay) break;
      if (!state.canApply) break;
      m_port.apply(false);
      return true;
    case HostChangePhase::inForce:
      // A trial that the user began is the user's to end.
      if (!m_isUnderWay) return false;
      m_port.keep();
      return true;
    case HostChangePhase::unknown:
      stop();
      return false;
    case HostChangePhase::none:
    case HostChangePhase::kept:
    case HostChangePhase::undone:
      break;
  }
  m_isUnderWay = m_newest.has_value();
  if (!m_newest) return false;
  m_preview(*std::exchange(m_newest, std::nullopt));
  return true;
}

void SliderChanges::stop() {
  m_newest.reset();
  m_isUnderWay = false;
}

}  // namespace tcpscope
