// The size of the text in all of the program: a menu, and the setting that keeps the choice.
#pragma once

#include <QFont>
#include <QObject>

class QMenu;
class QSettings;
class QWidget;

namespace tcpscope {

/// Headlines and large figures have sizes of their own, which do not follow the program's or the window's.
void growOwnSizes(const QWidget& window, double ratio);

class TextSize : public QObject {
  Q_OBJECT
public:
  /// The window is the parent.
  explicit TextSize(QWidget& window);

  void addTo(QMenu& menu);
  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);

private:
  /// Of the desktop's own size; kept within what fits on a screen.
  void setPercent(int percent);

  QWidget& m_window;
  /// Of the desktop.
  QFont m_usual;
  int m_percent = 100;
};

}  // namespace tcpscope
