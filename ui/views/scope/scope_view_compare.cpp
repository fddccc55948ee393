// Further connections and the reference on the scope.
#include <QAction>
#include <QMenu>
#include <QToolButton>
#include <cmath>

#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/views/scope/scope_view.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

namespace {

/// From the top of the list: the others are added in the list.
constexpr std::size_t kOfferedConnections = 12;

}  // namespace

QToolButton* ScopeView::buildCompareButton() {
  m_overlay = addViewAction(*this, QStringLiteral("Overlay connections"), {Qt::Key_O}, [this] { rescaled(); });
  m_overlay->setCheckable(true);
  m_overlay->setToolTip(
      QStringLiteral("Draw the selected trace of all connections on one axis; else each connection has a band with all "
                     "traces (O)"));
  m_keepReference = addViewAction(*this, QStringLiteral("Keep as reference"), {Qt::Key_R}, [this] { keepReference(); });
  m_keepReference->setToolTip(
      QStringLiteral("Keep what is shown now, in grey behind the live traces from the left edge on (R)"));
  m_removeReference = addViewAction(*this, QStringLiteral("Remove the reference"), {Qt::SHIFT | Qt::Key_R},
                                    [this] { removeReference(); });
  auto* button = new QToolButton;
  button->setText(QStringLiteral("Compare"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    fillCompareMenu(*menu);
  });
  button->setMenu(menu);
  return button;
}

void ScopeView::fillCompareMenu(QMenu& menu) {
  Selection& selection = context().selection;
  QMenu* add = menu.addMenu(QStringLiteral("Add connection"));
  const bool isFull = selection.further().size() >= kMostFurther;
  if (m_snapshot != nullptr && m_snapshot->order && !isFull) {
    for (const std::uint32_t slot : *m_snapshot->order) {
      const ConnectionRow row = m_snapshot->row(slot);
      if (m_shown.indexOf(row.id) || selection.connection() == row.id) continue;
      // A name with an ampersand is no mnemonic.
      QString title = connectionTitle(*m_snapshot, row).replace(u'&', QStringLiteral("&&"));
      const float rate = std::fmax(row.sendRateBps, row.receiveRateBps);
      if (rate > 0.0F)
        title += QStringLiteral("  (%1)").arg(valueLabel(MetricUnit::bitsPerSecond, static_cast<double>(rate)));
      add->addAction(title, this, [&selection, id = row.id] { selection.setFurther(id, true); });
      if (static_cast<std::size_t>(add->actions().size()) >= kOfferedConnections) break;
    }
  }
  add->setEnabled(!add->actions().isEmpty());
  if (isFull) add->setTitle(QStringLiteral("Add connection (no more than %1)").arg(kMostFurther + 1));
  for (const ConnectionId id : selection.further()) {
    const auto index = m_shown.indexOf(id);
    if (!index) continue;
    QString name = m_shown.all()[*index].name;
    menu.addAction(QStringLiteral("Remove %1").arg(name.replace(u'&', QStringLiteral("&&"))), this,
                   [&selection, id] { selection.setFurther(id, false); });
  }
  QAction* alone =
      menu.addAction(QStringLiteral("Only the selected connection"), this, [&selection] { selection.clearFurther(); });
  alone->setEnabled(!selection.further().empty());
  menu.addAction(m_overlay);
  menu.addSeparator();
  menu.addActions({m_keepReference, m_removeReference});
}

void ScopeView::keepReference() {
  const auto screen = m_acquisition.screen();
  if (!screen || m_frameRows.empty()) return;
  std::vector<ReferenceTrace> kept;
  const TraceFrame& frame = m_plot->frame();
  for (std::size_t index = 0; index < m_frameRows.size(); ++index) {
    const ShownConnection& connection = m_shown.all()[m_frameRows[index] / m_traces.size()];
    const TraceSource& source = m_traces.at(m_frameRows[index] % m_traces.size()).source;
    kept.push_back({source, connection.id, connection.name, frame.traces[index].style, frame.traces[index].samples});
  }
  m_reference.keep(frame.screen, std::move(kept));
  m_referenceFrom = wallText(m_snapshot->clock, m_reference.from(), WallPrecision::milliseconds);
  rescaled();
}

void ScopeView::removeReference() {
  m_reference.clear();
  rescaled();
}

void ScopeView::forgetSource() {
  if (!m_reference.empty()) removeReference();
  // What the other source found is not of this one.
  if (m_trigger) requestTrigger();
}

QString ScopeView::comparison() const {
  QStringList parts;
  if (!m_reference.empty()) parts << QStringLiteral("Grey: the reference, kept from %1 on.").arg(m_referenceFrom);
  const bool isFollowing = m_shown.areSeveral() && m_snapshot && shownFile(*m_snapshot) == nullptr;
  if (isFollowing) {
    const SessionControl& control = context().control.value();
    parts << QStringLiteral(
                 "The selected connection is sampled every %1, the others every %2; marks are of the selected one.")
                 .arg(toQString(formatTime(toSeconds(control.focusInterval))),
                      toQString(formatTime(toSeconds(control.listInterval))));
  }
  return parts.join(QLatin1Char(' '));
}

}  // namespace tcpscope
