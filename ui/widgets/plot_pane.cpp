#include "ui/widgets/plot_pane.h"

#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

namespace tcpscope {

QAction* addViewAction(QWidget& view, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run) {
  auto* action = new QAction(text, &view);
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  if (!keys.isEmpty()) action->setToolTip(text + QStringLiteral(" (") + keys.first().toString() + QStringLiteral(")"));
  QObject::connect(action, &QAction::triggered, &view, std::move(run));
  view.addAction(action);
  return action;
}

void layOutPlotPane(QWidget& view, QToolBar& bar, QWidget& plot, QWidget& table, int tableRows, QWidget& line) {
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->addWidget(&plot);
  splitter->addWidget(&table);
  splitter->setStretchFactor(0, 1);
  splitter->setSizes({400, (tableRows + 1) * (view.fontMetrics().height() + 6) + 8});
  splitter->setCollapsible(0, false);
  auto* layout = new QVBoxLayout(&view);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(&bar);
  layout->addWidget(splitter, 1);
  layout->addWidget(&line);
}

}  // namespace tcpscope
