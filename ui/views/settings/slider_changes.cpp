#include "ui/views/settings/slider_changes.h"

#include <utility>

namespace tcpscope {

void SliderChanges::request(HostChangeRequest request) {
  request.replacesTrial = true;
  m_newest = std::move(request);
  advance(m_port.state());
}

void SliderChanges::advance(const HostChangeState& state) {
  if (!state.notice.empty() && m_isUnderWay) return stop();
  switch (state.phase) {
    case HostChangePhase::previewing:
    case HostChangePhase::changing:
    case HostChangePhase::keeping:
    case HostChangePhase::undoing:
      return;
    case HostChangePhase::previewed:
      // A preview that the user asked for waits for the user.
      if (!m_isUnderWay || m_newest) return previewNewest();
      if (!state.canApply) return stop();
      return m_port.apply(false);
    case HostChangePhase::inForce:
      // A trial that the user began is the user's to end.
      if (!m_isUnderWay) return stop();
      return previewNewest();
    case HostChangePhase::none:
      m_isUnderWay = false;
      return previewNewest();
    case HostChangePhase::kept:
    case HostChangePhase::undone:
      // The user's answer is about what waits as well.
      if (m_isUnderWay) return stop();
      return previewNewest();
    case HostChangePhase::unknown:
      return stop();
  }
}

void SliderChanges::previewNewest() {
  if (!m_newest) return;
  m_isUnderWay = true;
  m_preview(*std::exchange(m_newest, std::nullopt));
}

void SliderChanges::stop() {
  m_newest.reset();
  m_isUnderWay = false;
}

}  // namespace tcpscope
