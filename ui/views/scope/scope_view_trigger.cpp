// The trigger of the scope: what it waits for, and what is shown of it.
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/text/wall_text.h"
#include "ui/views/scope/scope_view.h"
#include "ui/views/scope/trigger_dialog.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

namespace {

/// One that the screen shows, and one that waits for its screen.
constexpr std::size_t kRememberedTriggers = 2;

}  // namespace

QToolButton* ScopeView::buildTriggerButton() {
  auto* set = addViewAction(*this, QStringLiteral("Set trigger…"), {Qt::Key_T}, [this] { chooseTrigger(); });
  m_triggerOff = addViewAction(*this, QStringLiteral("Trigger off"), {Qt::SHIFT | Qt::Key_T},
                               [this] { armTrigger(std::nullopt); });
  m_nextTrigger = addViewAction(*this, QStringLiteral("Next trigger"), {Qt::Key_Period}, [this] { showNextTrigger(); });
  auto* button = new QToolButton;
  button->setText(QStringLiteral("Trigger"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  menu->addActions({set, m_triggerOff, m_nextTrigger});
  button->setMenu(menu);
  return button;
}

void ScopeView::chooseTrigger() {
  TriggerChoice current = m_trigger.value_or(TriggerChoice());
  if (m_acquisition.trigger()) current.settings = *m_acquisition.trigger();
  const bool isLive = m_snapshot != nullptr && shownFile(*m_snapshot) == nullptr;
  TriggerDialog dialog(current, m_traces.metrics(), isLive, this);
  if (dialog.exec() != QDialog::Accepted) return;
  if (const auto choice = dialog.choice()) armTrigger(*choice);
}

void ScopeView::armTrigger(const std::optional<TriggerChoice>& choice) {
  m_trigger = choice;
  m_isTriggerOver = false;
  forgetTriggers();
  m_acquisition.arm(choice ? std::optional(choice->settings) : std::nullopt);
  const bool isLive = m_snapshot != nullptr && shownFile(*m_snapshot) == nullptr;
  requestTrigger();
  emit triggerArmed(choice && isLive ? choice->actions : TriggerActions());
  searchTriggers();
  refresh();
}

void ScopeView::requestTrigger() {
  m_triggeredUntil = 0;
  m_shownTriggered = 0;
  std::optional<TriggerRequest> request;
  if (m_trigger && !m_trigger->filterText.empty()) {
    const auto filter = ConnectionFilter::parse(m_trigger->filterText);
    if (filter) request = TriggerRequest{0, *filter, m_trigger->settings.holdOff};
  }
  context().control.setTrigger(std::move(request));
}

void ScopeView::forgetTriggers() {
  m_searches.clear();
  m_fired.clear();
  m_shownTrigger.reset();
  m_shownTriggerOn.reset();
}

bool ScopeView::isWaitedFor(const ShownConnection& connection) const {
  return m_trigger && m_trigger->filterText.empty() && (connection.isSelected || m_trigger->isOfAllShown);
}

void ScopeView::takeTriggered() {
  const auto& request = context().control.value().trigger;
  if (!m_trigger || !request || shownFile(*m_snapshot) != nullptr) return;
  std::optional<TriggeredConnection> fired;
  for (const TriggeredConnection& one : m_snapshot->triggered) {
    if (one.request != request->number || one.number <= m_triggeredUntil) continue;
    m_triggeredUntil = one.number;
    if (!fired && !m_isTriggerOver && m_acquisition.triggerAt(one.at)) fired = one;
  }
  if (!fired) return;
  m_isTriggerOver = m_acquisition.stopsAtTrigger();
  selectTriggered(*fired);
  // Another connection's record begins without it.
  m_acquisition.triggerAt(fired->at);
  emit triggerFired(firedText(fired->at), fired->connection, m_trigger->actions);
}

void ScopeView::selectTriggered(const TriggeredConnection& triggered) {
  context().selection.setConnection(triggered.connection);
  // The window passes a selection on to the view in front only.
  setSelection(context().selection);
  m_shownTriggered = triggered.number;
  m_fired.assign(1, {triggered.at, triggered.connection});
}

void ScopeView::showNextTriggered() {
  const auto& request = context().control.value().trigger;
  const std::vector<TriggeredConnection>& all = m_snapshot->triggered;
  const auto next = std::find_if(all.begin(), all.end(), [&](const TriggeredConnection& one) {
    const bool isOfRequest = request && one.request == request->number;
    return isOfRequest && one.number > m_shownTriggered && m_snapshot->find(one.connection) != nullptr;
  });
  if (next == all.end()) {
    m_state->setText(QStringLiteral("No further trigger"));
    return;
  }
  // The snapshot may be another one behind the selection.
  const TriggeredConnection shown = *next;
  selectTriggered(shown);
  m_acquisition.showAround(shown.at);
  m_isTriggerOver = true;
  m_shownTrigger = shown.at;
  m_shownTriggerOn = shown.connection;
  refresh();
}

void ScopeView::searchTriggers() {
  if (!m_trigger) return;
  std::erase_if(m_searches, [this](const auto& search) { return !m_shown.indexOf(search.first); });
  std::vector<std::pair<Moment, ConnectionId>> found;
  for (const ShownConnection& connection : m_shown.all()) {
    if (!isWaitedFor(connection)) continue;
    TriggerSearch& search = m_searches.try_emplace(connection.id, m_trigger->condition).first->second;
    for (const Moment moment : search.advance(connection.detail->history, connection.detail->events))
      found.emplace_back(moment, connection.id);
  }
  std::sort(found.begin(), found.end());
  for (const auto& [moment, connection] : found) {
    if (!m_acquisition.triggerAt(moment)) continue;
    if (m_fired.size() == kRememberedTriggers) m_fired.erase(m_fired.begin());
    m_fired.emplace_back(moment, connection);
    // A recording may play the same moment again.
    if (shownFile(*m_snapshot) == nullptr) emit triggerFired(firedText(moment), connection, m_trigger->actions);
  }
}

std::optional<ConnectionId> ScopeView::firedOn(Moment at) const {
  if (m_shownTrigger == at) return m_shownTriggerOn;
  const auto newest =
      std::find_if(m_fired.rbegin(), m_fired.rend(), [at](const auto& fired) { return fired.first == at; });
  return newest == m_fired.rend() ? std::nullopt : std::optional(newest->second);
}

QString ScopeView::firedText(Moment at) const {
  const QString what = describeTrigger(*m_trigger);
  const auto connection = firedOn(at);
  const QString name = connection ? firedName(*connection) : QString();
  return QStringLiteral("%1, at %2")
      .arg(name.isEmpty() ? what : QStringLiteral("%1 on %2").arg(what, name),
           wallText(m_snapshot->clock, at, WallPrecision::milliseconds));
}

/// Empty where it can be no other than the selected one.
QString ScopeView::firedName(ConnectionId connection) const {
  if (!m_trigger->filterText.empty()) {
    // Its detail comes with a later snapshot.
    const ConnectionFacts* facts = m_snapshot->find(connection);
    return facts == nullptr ? QString() : connectionTitle(*m_snapshot, *facts);
  }
  const auto index = m_shown.areSeveral() ? m_shown.indexOf(connection) : std::nullopt;
  return index ? m_shown.all()[*index].name : QString();
}

/// Behind the one on the screen, or from its left edge on: through a recording from one to the next.
void ScopeView::showNextTrigger() {
  if (m_trigger && m_snapshot && !m_trigger->filterText.empty()) return showNextTriggered();
  const auto screen = m_acquisition.screen();
  if (!m_trigger || !m_shown.selected() || !screen) return;
  const Moment after = shownTrigger().value_or(screen->from);
  std::optional<std::pair<Moment, ConnectionId>> next;
  for (const ShownConnection& connection : m_shown.all()) {
    if (!isWaitedFor(connection)) continue;
    const auto at =
        firstTriggerAfter(after, m_trigger->condition, connection.detail->history, connection.detail->events);
    if (at && (!next || *at < next->first)) next = {*at, connection.id};
  }
  if (!next) {
    m_state->setText(QStringLiteral("No further trigger"));
    return;
  }
  m_acquisition.showAround(next->first);
  m_shownTrigger = next->first;
  m_shownTriggerOn = next->second;
  refresh();
}

std::optional<Moment> ScopeView::shownTrigger() const {
  const auto screen = m_acquisition.screen();
  const bool isOnScreen = m_shownTrigger && screen && *m_shownTrigger >= screen->from && *m_shownTrigger <= screen->to;
  if (m_acquisition.state() == AcquisitionState::stopped && isOnScreen) return m_shownTrigger;
  return m_acquisition.triggered();
}

QString ScopeView::triggerText() const {
  if (!m_trigger) return {};
  const QString what = describeTrigger(*m_trigger);
  if (const auto at = shownTrigger()) {
    return firedText(*at);
  }
  const bool isOver = m_isTriggerOver || (m_snapshot && shownFile(*m_snapshot) != nullptr);
  return (isOver ? QStringLiteral("“Next trigger” shows where: %1") : QStringLiteral("Waiting: %1")).arg(what);
}

}  // namespace tcpscope
