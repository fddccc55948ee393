#include "ui/window/main_menu.h"

#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QMessageBox>
#include <algorithm>

#include "ui/text/plain_text.h"
#include "ui/window/demo_guess.h"
#include "ui/window/limits_help.h"
#include "ui/window/shortcut_help.h"
#include "ui/window/tuning_guide_help.h"
#include "ui/window/view_help.h"

namespace tcpscope {

namespace {

template <class Receiver, class Slot>
void addItem(QMenu& menu, const QString& text, const QKeySequence& shortcut, Receiver* receiver, Slot slot) {
  menu.addAction(text, receiver, slot)->setShortcut(shortcut);
}

void buildFileMenu(QMenu& menu, QMainWindow& window, const MenuParts& parts) {
  parts.files.addTo(menu);
  if (parts.reports != nullptr) parts.reports->addTo(menu);
  if (parts.hosts != nullptr) parts.hosts->addTo(menu);
  addItem(menu, QStringLiteral("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), &window, &QWidget::close);
}

void buildViewMenu(QMenu& menu, const MenuParts& parts) {
  ConnectionListView* list = &parts.shown.list;
  ViewStack* views = &parts.shown.views;
  StatusLine* status = &parts.shown.status;
  addItem(menu, QStringLiteral("Connection &list"), QKeySequence(Qt::CTRL | Qt::Key_L), list,
          [list, presentation = &parts.presentation] {
            presentation->showList(true);
            list->setFocus(Qt::ShortcutFocusReason);
          });
  for (const ViewRow& row : viewCatalogue()) {
    const QString key = QLatin1String(row.key);
    addItem(menu, QString::fromUtf8(row.title), QKeySequence(QLatin1String(row.shortcut)), views, [views, key] {
      if (views->showView(key)) views->focusCurrent();
    });
  }
  menu.addSeparator();
  QMenu* columns = menu.addMenu(QStringLiteral("List &columns"));
  QObject::connect(columns, &QMenu::aboutToShow, list, [list, columns] {
    columns->clear();
    list->addColumnActions(*columns);
  });
  menu.addMenu(&parts.theme);
  parts.textSize.addTo(menu);
  parts.presentation.addTo(menu);
  menu.addSeparator();
  addItem(menu, QStringLiteral("List sampling &interval…"), QKeySequence(Qt::CTRL | Qt::Key_R), status,
          &StatusLine::chooseListInterval);
  addItem(menu, QStringLiteral("&Selected connection's sampling interval…"),
          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), status, &StatusLine::chooseFocusInterval);
}

void buildMenusOfViews(QMenuBar& bar, ViewStack& views) {
  for (std::size_t index = 0; index < views.views().size(); ++index) {
    const View* view = views.views()[index];
    if (view->actions().isEmpty()) continue;
    const int tab = static_cast<int>(index);
    QMenu* menu = bar.addMenu(views.tabText(tab));
    menu->addActions(view->actions());
    // Several views have the same keys, which all work in the menu bar while their menus are enabled.
    const auto enable = [menu, &views, tab] { menu->menuAction()->setEnabled(views.currentIndex() == tab); };
    QObject::connect(&views, &QTabWidget::currentChanged, menu, enable);
    enable();
  }
}

/// A menu for each answer that a guest may guess, and one for what has none: one menu of all would fill the screen.
QMenu& menuOf(const DemoScenario& scenario, QMenu& demos) {
  const auto isGroup = [&](const DemoGuessRow& row) { return row.guess == guessOf(*scenario.limit); };
  const char* const title =
      scenario.limit ? std::find_if(kDemoGuesses.begin(), kDemoGuesses.end(), isGroup)->title : "Comparisons";
  const QString text = u'&' + QString::fromLatin1(title);
  for (QAction* action : demos.actions()) {
    if (action->text() == text) return *action->menu();
  }
  QMenu* menu = demos.addMenu(text);
  menu->setToolTipsVisible(true);
  return *menu;
}

void buildDemoMenu(QMenu& menu, const std::vector<DemoScenario>& scenarios, const NoticeBars& bars) {
  DemoBar* demo = bars.demo();
  for (std::size_t index = 0; index < scenarios.size(); ++index) {
    const DemoScenario& scenario = scenarios[index];
    QAction* action =
        menuOf(scenario, menu).addAction(toQString(scenario.title), demo, [demo, index, capture = bars.capture()] {
          if (capture != nullptr) capture->close();
          demo->start(index);
        });
    action->setToolTip(toolTipText(toQString(scenario.story)));
  }
  menu.addSeparator();
  addItem(menu, QStringLiteral("Sho&w answer"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), demo,
          [demo] { demo->showAnswer(true); });
  menu.addAction(QStringLiteral("&End the demo"), demo, &DemoBar::stop);
}

void buildHelpMenu(QMenu& menu, QMainWindow& window, const ViewStack& views) {
  addItem(menu, QStringLiteral("This &view"), QKeySequence(Qt::Key_F1), &window, [&window, &views] {
    ViewHelp help(views, &window);
    help.exec();
  });
  addItem(menu, QStringLiteral("&What the limits mean"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F1), &window,
          [&window] {
            LimitsHelp help(&window);
            help.exec();
          });
  menu.addAction(QStringLiteral("Which &tuning for which load"), &window, [&window] {
    TuningGuideHelp help(&window);
    help.exec();
  });
  addItem(menu, QStringLiteral("&Keyboard shortcuts"), QKeySequence(Qt::CTRL | Qt::Key_F1), &window, [&window] {
    ShortcutHelp help(*window.menuBar(), &window);
    help.exec();
  });
  addItem(menu, QStringLiteral("&About tcpscope"), QKeySequence(Qt::SHIFT | Qt::Key_F1), &window, [&window] {
    QMessageBox::about(
        &window, QStringLiteral("About tcpscope"),
        QStringLiteral("tcpscope %1\n\nA TCP oscilloscope for Linux: see a slow connection and know why.\n\n"
                       "Free software under the GNU General Public License, version 3 or later.")
            .arg(QApplication::applicationVersion()));
  });
}

}  // namespace

void buildMainMenu(QMainWindow& window, const MenuParts& parts) {
  QMenuBar& bar = *window.menuBar();
  const NoticeBars& bars = parts.shown.bars;
  buildFileMenu(*bar.addMenu(QStringLiteral("&File")), window, parts);
  buildViewMenu(*bar.addMenu(QStringLiteral("&View")), parts);
  QMenu* connection = bar.addMenu(QStringLiteral("&Connection"));
  connection->addActions(parts.shown.list.actions());
  connection->addSeparator();
  connection->addActions(bars.liveCapture().captureActions());
  buildMenusOfViews(bar, parts.shown.views);
  if (bars.replay() != nullptr) bar.addMenu(QStringLiteral("&Replay"))->addActions(bars.replay()->menuActions());
  if (bars.demo() != nullptr)
    buildDemoMenu(*bar.addMenu(QStringLiteral("&Demo")), parts.ports.demos->scenarios(), bars);
  buildHelpMenu(*bar.addMenu(QStringLiteral("&Help")), window, parts.shown.views);
}

}  // namespace tcpscope
