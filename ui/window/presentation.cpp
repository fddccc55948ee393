#include "ui/window/presentation.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QToolTip>
#include <utility>

#include "ui/window/text_size.h"

namespace tcpscope {

namespace {

/// To be read from the last row of a room.
constexpr double kLargeLetters = 1.5;

}  // namespace

Presentation::Presentation(const Parts& parts) : QObject(&parts.window), m_parts(parts) {
  m_hideList.setText(QStringLiteral("&Hide the list"));
  m_hideList.setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_L);
  m_hideList.setCheckable(true);
  connect(&m_hideList, &QAction::toggled, this, [this](bool isHidden) { m_parts.list.setHidden(isHidden); });
  m_fullScreen.setText(QStringLiteral("Full scr&een"));
  m_fullScreen.setShortcut(Qt::Key_F11);
  m_fullScreen.setCheckable(true);
  connect(&m_fullScreen, &QAction::triggered, this, &Presentation::fillScreen);
  m_present.setText(QStringLiteral("P&resentation"));
  m_present.setShortcut(Qt::SHIFT | Qt::Key_F11);
  m_present.setCheckable(true);
  connect(&m_present, &QAction::triggered, this, &Presentation::present);
}

bool Presentation::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (isKey && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
      QApplication::activeModalWidget() == nullptr && QApplication::activePopupWidget() == nullptr) {
    // Accepted, it is no shortcut, but a key to press.
    event->accept();
    if (event->type() == QEvent::KeyPress) present(false);
    return true;
  }
  return QObject::eventFilter(watched, event);
}

void Presentation::followWindow() {
  m_fullScreen.setChecked(m_parts.window.windowState().testFlag(Qt::WindowFullScreen));
}

void Presentation::addTo(QMenu& menu) {
  menu.addActions({&m_hideList, &m_fullScreen, &m_present});
}

void Presentation::showList(bool isShown) {
  m_hideList.setChecked(!isShown);
}

void Presentation::fillScreen(bool isFull) {
  m_fullScreen.setChecked(isFull);
  m_parts.window.setWindowState(m_parts.window.windowState().setFlag(Qt::WindowFullScreen, isFull));
}

void Presentation::present(bool isPresenting) {
  if (std::exchange(m_isPresenting, isPresenting) == isPresenting) return;
  m_present.setChecked(isPresenting);
  if (isPresenting) {
    qApp->installEventFilter(this);
  } else {
    qApp->removeEventFilter(this);
  }
  QMainWindow& window = m_parts.window;
  if (isPresenting) {
    m_wasFull = m_fullScreen.isChecked();
    m_listWasShown = !m_hideList.isChecked();
  }
  // Without a font of its own the window has the program's.
  QFont large = window.font();
  large.setPointSizeF(large.pointSizeF() * kLargeLetters);
  // While the window has a font of its own, every widget in it seems to have one.
  if (isPresenting) growOwnSizes(window, kLargeLetters);
  window.setFont(isPresenting ? large : QFont());
  if (!isPresenting) growOwnSizes(window, 1.0 / kLargeLetters);
  // Both are windows of their own, which do not take its font.
  if (isPresenting) {
    m_menuFont = QApplication::font("QMenu");
    m_tipFont = QToolTip::font();
  }
  QApplication::setFont(isPresenting ? large : m_menuFont, "QMenu");
  QToolTip::setFont(isPresenting ? large : m_tipFont);
  // A hidden menu bar's keys would not work.
  window.menuBar()->setMaximumHeight(isPresenting ? 0 : QWIDGETSIZE_MAX);
  m_parts.views.tabBar()->setHidden(isPresenting);
  m_parts.status.setHidden(isPresenting);
  showList(!isPresenting && m_listWasShown);
  fillScreen(isPresenting || m_wasFull);
}

}  // namespace tcpscope
