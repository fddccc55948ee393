// What makes room for the view in front: the list is hidden on request, the window fills the screen, and a presentation
// leaves nothing but the view, in large letters.
#pragma once

#include <QAction>
#include <QFont>
#include <QObject>

#include "ui/views/connection_list/connection_list_view.h"
#include "ui/window/status_line.h"
#include "ui/window/view_stack.h"

class QMainWindow;
class QMenu;

namespace tcpscope {

class Presentation : public QObject {
  Q_OBJECT
public:
  struct Parts {
    QMainWindow& window;
    ConnectionListView& list;
    ViewStack& views;
    StatusLine& status;
  };
  /// All parts outlive this.
  explicit Presentation(const Parts& parts);

  void addTo(QMenu& menu);
  void showList(bool isShown);
  void fillScreen(bool isFull);
  /// Menus and keys go on working meanwhile; Escape ends it.
  void present(bool isPresenting);
  [[nodiscard]] bool isPresenting() const { return m_isPresenting; }
  /// Takes over what the window is after its settings were restored.
  void followWindow();

protected:
  /// The views have the key as well: while presenting it is this one's.
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  Parts m_parts;
  QAction m_hideList;
  QAction m_fullScreen;
  QAction m_present;
  bool m_isPresenting = false;
  bool m_wasFull = false;
  bool m_listWasShown = true;
  /// As they were before.
  QFont m_menuFont;
  QFont m_tipFont;
};

}  // namespace tcpscope
