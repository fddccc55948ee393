#include "ui/widgets/plot_pane.h"

#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace tcpscope {

namespace {

/// A letter, a figure or a sign, which no list or button needs for itself; what edits text takes it first.
bool isPrinted(const QKeySequence& keys) {
  const QKeyCombination combination = keys[0];
  const auto modifiers = combination.keyboardModifiers();
  return keys.count() == 1 && (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier && combination.key() > Qt::Key_Space &&
         combination.key() <= Qt::Key_AsciiTilde;
}

}  // namespace

QAction* addViewAction(QWidget& view, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run) {
  auto* action = new QAction(text, &view);
  action->setShortcuts(keys);
  action->setShortcutContext(std::all_of(keys.begin(), keys.end(), isPrinted) ? Qt::WindowShortcut
                                                                              : Qt::WidgetWithChildrenShortcut);
  if (!keys.isEmpty()) action->setToolTip(text + QStringLiteral(" (") + keys.first().toString() + QStringLiteral(")"));
  QObject::connect(action, &QAction::triggered, &view, std::move(run));
  view.addAction(action);
  return action;
}

namespace {

/// Below it a plot and some rows of its table leave too little of both.
constexpr int kLowPane = 520;

/// Hides the table of a pane that is low when it is shown first.
class FirstShow final : public QObject {
public:
  FirstShow(QWidget& view, QAction& showsTable) : QObject(&view), m_view(view), m_showsTable(showsTable) {
    view.installEventFilter(this);
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Show) {
      m_view.removeEventFilter(this);
      m_showsTable.setChecked(m_view.height() >= kLowPane);
    }
    return QObject::eventFilter(watched, event);
  }

private:
  QWidget& m_view;
  QAction& m_showsTable;
};

}  // namespace

void layOutPlotPane(QWidget& view, QToolBar& bar, QWidget& plot, QWidget& table, int tableRows, QWidget& line) {
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->addWidget(&plot);
  splitter->addWidget(&table);
  splitter->setStretchFactor(0, 1);
  splitter->setSizes({400, (tableRows + 1) * (view.fontMetrics().height() + 6) + 2});
  splitter->setCollapsible(0, false);
  auto* showsTable = addViewAction(view, QStringLiteral("Table"), {Qt::SHIFT | Qt::Key_V}, [] {});
  showsTable->setCheckable(true);
  showsTable->setChecked(true);
  QObject::connect(showsTable, &QAction::toggled, &table, &QWidget::setVisible);
  bar.addAction(showsTable);
  new FirstShow(view, *showsTable);
  auto* layout = new QVBoxLayout(&view);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(&bar);
  layout->addWidget(splitter, 1);
  layout->addWidget(&line);
}

}  // namespace tcpscope
