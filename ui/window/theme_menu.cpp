#include "ui/window/theme_menu.h"

#include <QActionGroup>
#include <QSettings>
#include <algorithm>

namespace tcpscope {

namespace {

constexpr const char* kThemeSetting = "window/theme";

}  // namespace

ThemeMenu::ThemeMenu(QWidget* parent) : QMenu(QStringLiteral("&Theme"), parent) {
  auto* group = new QActionGroup(this);
  const QString titles[] = {QStringLiteral("&Follow the desktop"), QStringLiteral("&Light"), QStringLiteral("&Dark")};
  for (int choice = 0; choice < 3; ++choice) {
    QAction* action = addAction(titles[choice]);
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key(Qt::Key_1 + choice)));
    action->setCheckable(true);
    action->setChecked(choice == 0);
    group->addAction(action);
    m_choices[static_cast<std::size_t>(choice)] = action;
    connect(action, &QAction::triggered, this, [this, choice] { setTheme(static_cast<ThemeChoice>(choice)); });
  }
}

void ThemeMenu::setTheme(ThemeChoice choice) {
  m_theme = choice;
  m_choices[static_cast<std::size_t>(choice)]->setChecked(true);
  applyTheme(choice);
}

void ThemeMenu::saveSettings(QSettings& settings) const {
  settings.setValue(kThemeSetting, static_cast<int>(m_theme));
}

void ThemeMenu::restoreSettings(QSettings& settings) {
  setTheme(static_cast<ThemeChoice>(std::clamp(settings.value(kThemeSetting, 0).toInt(), 0, 2)));
}

}  // namespace tcpscope
