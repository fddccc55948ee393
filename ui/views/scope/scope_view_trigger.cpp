// The trigger of the scope: what it waits for, and what is shown of it.
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "ui/text/wall_text.h"
#include "ui/views/scope/scope_view.h"
#include "ui/views/scope/trigger_dialog.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

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
  TriggerChoice current;
  if (m_trigger) current.condition = m_trigger->condition();
  if (m_acquisition.trigger()) current.settings = *m_acquisition.trigger();
  TriggerDialog dialog(current, m_traces.metrics(), this);
  if (dialog.exec() != QDialog::Accepted) return;
  if (const auto choice = dialog.choice()) armTrigger(*choice);
}

void ScopeView::armTrigger(const std::optional<TriggerChoice>& choice) {
  m_trigger.reset();
  m_shownTrigger.reset();
  if (choice) m_trigger.emplace(choice->condition);
  m_acquisition.arm(choice ? std::optional(choice->settings) : std::nullopt);
  searchTriggers();
  refresh();
}

void ScopeView::searchTriggers() {
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  if (!m_trigger || detail == nullptr) return;
  for (const Moment moment : m_trigger->advance(detail->history, detail->events)) m_acquisition.triggerAt(moment);
}

/// Behind the one on the screen, or from its left edge on: through a recording from one to the next.
void ScopeView::showNextTrigger() {
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  const auto screen = m_acquisition.screen();
  if (!m_trigger || detail == nullptr || !screen) return;
  const Moment after = shownTrigger().value_or(screen->from);
  const auto next = firstTriggerAfter(after, m_trigger->condition(), detail->history, detail->events);
  if (!next) {
    m_state->setText(QStringLiteral("No further trigger"));
    return;
  }
  m_acquisition.showAround(*next);
  m_shownTrigger = next;
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
  const QString what = describeTrigger(m_trigger->condition());
  if (const auto at = shownTrigger()) {
    return QStringLiteral("%1, at %2").arg(what, wallText(m_snapshot->clock, *at, WallPrecision::milliseconds));
  }
  const bool isOver = m_snapshot && shownFile(*m_snapshot) != nullptr;
  return (isOver ? QStringLiteral("“Next trigger” shows where: %1") : QStringLiteral("Waiting: %1")).arg(what);
}

}  // namespace tcpscope
