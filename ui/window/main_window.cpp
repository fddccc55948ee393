#include "ui/window/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCoreApplication>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QVBoxLayout>

#include "ui/text/plain_text.h"
#include "ui/window/limits_help.h"

namespace tcpscope {

MainWindow::MainWindow(SessionPort& port, QWidget* parent)
    : QMainWindow(parent),
      m_feed(port),
      m_control(port),
      m_list(new ConnectionListView({m_selection, m_control})),
      m_views(new ViewStack({m_selection, m_control})),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_liveCapture(new LiveCaptureBar(m_control)),
      m_status(new StatusLine(m_control)) {
  setWindowTitle(tr("tcpscope"));
  resize(1280, 720);
  m_splitter->addWidget(m_list);
  m_splitter->addWidget(m_views);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setSizes({220, 450});
  m_splitter->setStretchFactor(0, 2);
  m_splitter->setStretchFactor(1, 3);
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_liveCapture);
  layout->addWidget(m_splitter, 1);
  setCentralWidget(page);
  setStatusBar(m_status);
  buildMenus();
  connect(&m_feed, &SnapshotFeed::snapshotChanged, this, &MainWindow::showSnapshot);
  connect(&m_selection, &Selection::connectionChanged, this, &MainWindow::followSelection);
  connect(&m_selection, &Selection::spanChanged, this, [this] {
    m_list->setSelection(m_selection);
    m_views->setSelection(m_selection);
  });
  connect(m_list, &ConnectionListView::listenersWanted, this,
          [this] { m_views->showView(QStringLiteral("listeners")); });
  connect(m_list, &ConnectionListView::captureWanted, this, &MainWindow::capturePackets);
  m_list->setFocus();
}

void MainWindow::capturePackets() {
  const SnapshotPointer& snapshot = m_feed.latest();
  if (snapshot == nullptr || !m_selection.connection()) return;
  const ConnectionFacts* connection = snapshot->find(*m_selection.connection());
  if (connection == nullptr) return;
  m_liveCapture->capture(*connection);
  m_views->showView(QStringLiteral("packets"));
}

void MainWindow::showSnapshot(const SnapshotPointer& snapshot) {
  m_list->setSnapshot(snapshot);
  m_status->setSnapshot(snapshot);
  m_liveCapture->setSnapshot(snapshot);
  m_views->setSnapshot(snapshot);
  if (m_replayBar != nullptr) m_replayBar->poll();
  if (!m_selectsFirst || shownFile(*snapshot) == nullptr || !snapshot->order || snapshot->order->empty()) return;
  m_selectsFirst = false;
  m_selection.setConnection(snapshot->id(snapshot->order->front()));
}

void MainWindow::followSelection() {
  m_control.setFocus(m_selection.connection());
  m_list->setSelection(m_selection);
  m_views->setSelection(m_selection);
}

QAction* MainWindow::addShortcut(QMenu& menu, const QString& text, const QKeySequence& shortcut) {
  QAction* action = menu.addAction(text);
  action->setShortcut(shortcut);
  return action;
}

void MainWindow::buildMenus() {
  m_fileMenu = menuBar()->addMenu(tr("&File"));
  connect(addShortcut(*m_fileMenu, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q)), &QAction::triggered, this,
          &QWidget::close);
  buildViewMenu(*menuBar()->addMenu(tr("&View")));
  QMenu* connection = menuBar()->addMenu(tr("&Connection"));
  connection->addActions(m_list->actions());
  connection->addSeparator();
  connection->addActions(m_liveCapture->captureActions());
  for (std::size_t index = 0; index < m_views->views().size(); ++index) {
    View* view = m_views->views()[index];
    if (view->actions().isEmpty()) continue;
    QMenu* menu = menuBar()->addMenu(m_views->tabText(static_cast<int>(index)));
    menu->addActions(view->actions());
    // Several views have the same keys, which all work in the menu bar while their menus are enabled.
    const auto enable = [this, menu, index] {
      menu->menuAction()->setEnabled(m_views->currentIndex() == static_cast<int>(index));
    };
    connect(m_views, &QTabWidget::currentChanged, menu, enable);
    enable();
  }
  m_helpMenu = menuBar()->addMenu(tr("&Help"));
  buildHelpMenu(*m_helpMenu);
}

void MainWindow::buildViewMenu(QMenu& menu) {
  connect(addShortcut(menu, tr("&List of connections"), QKeySequence(Qt::CTRL | Qt::Key_L)), &QAction::triggered, this,
          [this] { m_list->setFocus(Qt::ShortcutFocusReason); });
  for (const ViewRow& row : viewCatalogue()) {
    const QString key = QLatin1String(row.key);
    connect(addShortcut(menu, QCoreApplication::translate("ViewCatalogue", row.title),
                        QKeySequence(QLatin1String(row.shortcut))),
            &QAction::triggered, this, [this, key] { m_views->showView(key); });
  }
  menu.addSeparator();
  QMenu* columns = menu.addMenu(tr("&Columns of the list"));
  connect(columns, &QMenu::aboutToShow, this, [this, columns] {
    columns->clear();
    m_list->addColumnActions(*columns);
  });
  buildThemeMenu(*menu.addMenu(tr("&Theme")));
  menu.addSeparator();
  connect(addShortcut(menu, tr("Sampling rate of the &list…"), QKeySequence(Qt::CTRL | Qt::Key_R)), &QAction::triggered,
          m_status, &StatusLine::chooseListInterval);
  connect(addShortcut(menu, tr("Sampling rate of the &selected connection…"),
                      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)),
          &QAction::triggered, m_status, &StatusLine::chooseFocusInterval);
}

void MainWindow::buildThemeMenu(QMenu& menu) {
  auto* group = new QActionGroup(this);
  const QString titles[] = {tr("As the &desktop"), tr("&Light"), tr("&Dark")};
  for (int choice = 0; choice < 3; ++choice) {
    QAction* action = addShortcut(menu, titles[choice], QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key(Qt::Key_1 + choice)));
    action->setCheckable(true);
    action->setChecked(choice == 0);
    group->addAction(action);
    m_themeActions.push_back(action);
    connect(action, &QAction::triggered, this, [this, choice] { setTheme(static_cast<ThemeChoice>(choice)); });
  }
}

void MainWindow::setTheme(ThemeChoice choice) {
  m_theme = choice;
  m_themeActions[static_cast<std::size_t>(choice)]->setChecked(true);
  applyTheme(choice);
}

void MainWindow::offerDemos(DemoPort& port) {
  m_demoBar = new DemoBar(port);
  static_cast<QVBoxLayout*>(centralWidget()->layout())->insertWidget(0, m_demoBar);
  auto* menu = new QMenu(tr("&Demo"), this);
  menuBar()->insertMenu(m_helpMenu->menuAction(), menu);
  buildDemoMenu(*menu, port.scenarios());
  connect(m_demoBar, &DemoBar::started, this, &MainWindow::showDemo);
  connect(m_demoBar, &DemoBar::ended, this, [this] {
    m_liveCapture->close();
    m_list->selectFirstNoMore();
    m_status->showNotice(true);
    m_selection.setConnection(m_selectedBeforeDemo);
  });
}

/// Other connections: what was selected waits, what the demo is about gets selected when it is there.
void MainWindow::showDemo(const ConnectionFilter& main) {
  m_liveCapture->close();
  m_selectedBeforeDemo = m_selection.connection();
  m_selection.setConnection(std::nullopt);
  m_list->selectFirst(main);
  m_views->showView(QStringLiteral("scope"));
  m_status->showNotice(false);
}

void MainWindow::buildDemoMenu(QMenu& menu, const std::vector<DemoScenario>& scenarios) {
  for (std::size_t index = 0; index < scenarios.size(); ++index) {
    QAction* action = menu.addAction(toQString(scenarios[index].title));
    action->setToolTip(toolTipText(toQString(scenarios[index].story)));
    connect(action, &QAction::triggered, this, [this, index] {
      if (m_captureBar != nullptr) m_captureBar->close();
      m_demoBar->start(index);
    });
  }
  menu.setToolTipsVisible(true);
  menu.addSeparator();
  connect(addShortcut(menu, tr("&Truth of this demo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)),
          &QAction::triggered, this, [this] { m_demoBar->showTruth(true); });
  connect(menu.addAction(tr("&End the demo")), &QAction::triggered, this, [this] { m_demoBar->stop(); });
}

void MainWindow::buildHelpMenu(QMenu& menu) {
  connect(addShortcut(menu, tr("&What the limits mean"), QKeySequence(Qt::Key_F1)), &QAction::triggered, this, [this] {
    LimitsHelp help(this);
    help.exec();
  });
  connect(addShortcut(menu, tr("&About tcpscope"), QKeySequence(Qt::SHIFT | Qt::Key_F1)), &QAction::triggered, this,
          [this] {
            QMessageBox::about(this, tr("About tcpscope"),
                               tr("tcpscope %1\n\nA TCP oscilloscope for Linux: see a slow connection and know why.\n\n"
                                  "Free software under the GNU General Public License, version 3 or later.")
                                   .arg(QApplication::applicationVersion()));
          });
}

void MainWindow::saveSettings(QSettings& settings) const {
  settings.setValue("window/geometry", saveGeometry());
  settings.setValue("window/splitter", m_splitter->saveState());
  settings.setValue("window/theme", static_cast<int>(m_theme));
  settings.setValue("sampling/listMs", static_cast<qlonglong>(m_control.value().listInterval.count()));
  settings.setValue("sampling/focusUs", static_cast<qlonglong>(m_control.value().focusInterval.count()));
  saveHosts(settings);
  m_list->saveSettings(settings);
  m_views->saveSettings(settings);
}

void MainWindow::restoreSettings(QSettings& settings) {
  restoreGeometry(settings.value("window/geometry").toByteArray());
  m_splitter->restoreState(settings.value("window/splitter").toByteArray());
  setTheme(static_cast<ThemeChoice>(std::clamp(settings.value("window/theme", 0).toInt(), 0, 2)));
  m_control.setListInterval(
      Milliseconds(std::clamp<qlonglong>(settings.value("sampling/listMs", 1000).toLongLong(), 100, 10'000)));
  m_control.setFocusInterval(
      Microseconds(std::clamp<qlonglong>(settings.value("sampling/focusUs", 10'000).toLongLong(), 1'000, 1'000'000)));
  restoreHosts(settings);
  m_list->restoreSettings(settings);
  m_views->restoreSettings(settings);
}

}  // namespace tcpscope
