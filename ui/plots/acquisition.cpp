#include "ui/plots/acquisition.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

void Acquisition::setRecorded(TimeSpan recorded) {
  const bool wentBack = m_recorded && recorded.to < m_recorded->to;
  m_recorded = recorded;
  if (wentBack) {
    if (m_armedAt) m_armedAt = recorded.to;
    forgetTriggers();
    if (m_state == AcquisitionState::stopped) clampEnd();
  }
  completeTriggered();
  if (m_state == AcquisitionState::single) {
    if (!m_armedAt) m_armedAt = recorded.to;
    if (recorded.to - *m_armedAt >= m_timeBase.span()) {
      stop();
      m_stoppedEnd = *m_armedAt + m_timeBase.span();
    }
  }
}

void Acquisition::reset() {
  m_recorded.reset();
  const bool isOnce = m_isOnce && m_state == AcquisitionState::running;
  run();
  m_isOnce = isOnce;
}

void Acquisition::run() {
  m_state = AcquisitionState::running;
  m_armedAt.reset();
  forgetTriggers();
}

void Acquisition::stop() {
  if (m_state == AcquisitionState::stopped) return;
  if (const auto shown = screen()) m_stoppedEnd = shown->to;
  m_state = AcquisitionState::stopped;
}

void Acquisition::arm(const std::optional<TriggerSettings>& settings) {
  const bool staysStopped = !settings && m_state == AcquisitionState::stopped;
  forgetTriggers();
  m_trigger = settings;
  if (!staysStopped) run();
}

bool Acquisition::triggerAt(Moment moment) {
  if (!m_trigger || m_state != AcquisitionState::running || m_pending) return false;
  if (m_heldOffUntil && moment < *m_heldOffUntil) return false;
  m_pending = moment;
  completeTriggered();
  return true;
}

void Acquisition::completeTriggered() {
  if (m_pending && m_recorded && m_recorded->to >= endOf(*m_pending)) hold();
}

void Acquisition::passTime(Moment now) {
  if (m_pending && now >= endOf(*m_pending)) hold();
}

void Acquisition::hold() {
  m_held = std::exchange(m_pending, std::nullopt);
  m_heldOffUntil = std::max(*m_held + m_trigger->holdOff, endOf(*m_held));
  if (stopsAtTrigger()) stop();
}

std::optional<Moment> Acquisition::triggered() const {
  const auto shown = screen();
  const auto& trigger = m_held ? m_held : m_pending;
  return trigger && shown && *trigger >= shown->from && *trigger <= shown->to ? trigger : std::nullopt;
}

Moment Acquisition::endOf(Moment trigger) const {
  return trigger + std::chrono::duration<double>((1.0 - m_trigger->preTriggerRatio) * toSeconds(m_timeBase.span()));
}

void Acquisition::forgetTriggers() {
  m_pending.reset();
  m_held.reset();
  m_heldOffUntil.reset();
  m_isOnce = false;
}

void Acquisition::single() {
  if (m_trigger) {
    run();
    m_isOnce = true;
    return;
  }
  m_state = AcquisitionState::single;
  m_armedAt.reset();
  if (m_recorded) m_armedAt = m_recorded->to;
}

void Acquisition::toggle() {
  if (m_state == AcquisitionState::stopped) {
    run();
  } else {
    stop();
  }
}

void Acquisition::setTimeBase(TimeBase timeBase) {
  const Nanoseconds before = m_timeBase.span();
  m_timeBase = timeBase;
  if (m_state == AcquisitionState::stopped) zoomAt(m_stoppedEnd - before / 2, before);
}

bool Acquisition::zoomInAt(Moment anchor) {
  const Nanoseconds before = m_timeBase.span();
  if (!m_timeBase.zoomIn()) return false;
  zoomAt(anchor, before);
  return true;
}

bool Acquisition::zoomOutAt(Moment anchor) {
  const Nanoseconds before = m_timeBase.span();
  if (!m_timeBase.zoomOut()) return false;
  zoomAt(anchor, before);
  return true;
}

void Acquisition::zoomAt(Moment anchor, Nanoseconds spanBefore) {
  if (m_state != AcquisitionState::stopped) return;
  const double toTheRight = toSeconds(m_stoppedEnd - anchor) / toSeconds(spanBefore);
  m_stoppedEnd = anchor + std::chrono::duration<double>(toTheRight * toSeconds(m_timeBase.span()));
  clampEnd();
}

void Acquisition::pan(Nanoseconds by) {
  stop();
  m_stoppedEnd = m_stoppedEnd + by;
  clampEnd();
}

void Acquisition::showAround(Moment moment) {
  stop();
  m_stoppedEnd = moment + m_timeBase.span() / 2;
  clampEnd();
}

void Acquisition::clampEnd() {
  if (!m_recorded) return;
  // A record shorter than the screen stands at its right edge.
  const Moment earliest = std::min(m_recorded->to, m_recorded->from + m_timeBase.span());
  m_stoppedEnd = std::clamp(m_stoppedEnd, earliest, m_recorded->to);
}

std::optional<TimeSpan> Acquisition::screen() const {
  if (!m_recorded) return std::nullopt;
  Moment end = m_state == AcquisitionState::stopped ? m_stoppedEnd : m_recorded->to;
  if (m_state == AcquisitionState::running && m_held && m_trigger) {
    // A second is long enough to see the one before.
    const Nanoseconds rest = std::max<Nanoseconds>(m_timeBase.span(), std::chrono::seconds(1));
    const bool runsOn = m_trigger->mode == TriggerMode::automatic && m_recorded->to - endOf(*m_held) > rest;
    if (!runsOn) end = endOf(*m_held);
  }
  return TimeSpan{end - m_timeBase.span(), end};
}

}  // namespace tcpscope
