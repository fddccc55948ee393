// The menu that chooses the theme, and the setting that keeps the choice.
#pragma once

#include <QMenu>
#include <array>

#include "ui/window/theme_switch.h"

class QSettings;

namespace tcpscope {

class ThemeMenu : public QMenu {
  Q_OBJECT
public:
  explicit ThemeMenu(QWidget* parent = nullptr);

  /// Applies it to the whole application.
  void setTheme(ThemeChoice choice);
  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);

private:
  std::array<QAction*, 3> m_choices{};
  ThemeChoice m_theme = ThemeChoice::system;
};

}  // namespace tcpscope
