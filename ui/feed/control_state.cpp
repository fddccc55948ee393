#include "ui/feed/control_state.h"

namespace tcpscope {

namespace {

/// Long enough to read a row and to point at it.
constexpr Nanoseconds kOrderInterval = std::chrono::seconds(5);

}  // namespace

ControlState::ControlState(SessionPort& port, QObject* parent) : QObject(parent), m_port(port) {
  m_value.listsProblems = true;
  m_value.sortKey = SortKey::verdict;
  m_value.orderInterval = kOrderInterval;
  m_port.setControl(m_value);
}

void ControlState::post() {
  m_port.setControl(m_value);
  emit changed();
}

void ControlState::setListInterval(Milliseconds interval) {
  if (m_value.listInterval == interval) return;
  m_value.listInterval = interval;
  post();
}

void ControlState::setFocusInterval(Microseconds interval) {
  if (m_value.focusInterval == interval) return;
  m_value.focusInterval = interval;
  post();
}

void ControlState::setFocus(std::optional<ConnectionId> connection) {
  if (m_value.focus == connection) return;
  m_value.focus = connection;
  post();
}

void ControlState::setPinned(ConnectionId connection, bool pinned) {
  const bool changes = pinned ? m_value.pinned.insert(connection).second : m_value.pinned.erase(connection) != 0;
  if (changes) post();
}

void ControlState::setFollowed(std::set<ConnectionId> connections) {
  follow(m_followed, std::move(connections));
}

void ControlState::setFurther(std::set<ConnectionId> connections) {
  follow(m_further, std::move(connections));
}

void ControlState::follow(std::set<ConnectionId>& kept, std::set<ConnectionId> connections) {
  if (kept == connections) return;
  kept = std::move(connections);
  m_value.followed = m_followed;
  m_value.followed.insert(m_further.begin(), m_further.end());
  post();
}

void ControlState::setFilter(ConnectionFilter filter) {
  m_value.filter = std::move(filter);
  post();
}

void ControlState::setSort(SortKey key, bool descending) {
  if (m_value.sortKey == key && m_value.sortDescending == descending) return;
  m_value.sortKey = key;
  m_value.sortDescending = descending;
  post();
}

void ControlState::setKeepsOrder(bool keep) {
  if (m_value.keepsOrder == keep) return;
  m_value.keepsOrder = keep;
  post();
}

void ControlState::setGrouping(Grouping grouping) {
  if (m_value.grouping == grouping) return;
  m_value.grouping = grouping;
  post();
}

void ControlState::setCapture(std::optional<CaptureRequest> request) {
  if (m_value.capture == request) return;
  m_value.capture = std::move(request);
  post();
}

void ControlState::setTrigger(std::optional<TriggerRequest> request) {
  if (!request && !m_value.trigger) return;
  if (request) request->number = ++m_triggers;
  m_value.trigger = std::move(request);
  post();
}

void ControlState::addChangeMark(ChangeMark mark) {
  m_value.changeMarks.push_back(std::move(mark));
  post();
}

void ControlState::setKeepClosed(bool keep) {
  if (m_value.keepClosed == keep) return;
  m_value.keepClosed = keep;
  post();
}

}  // namespace tcpscope
