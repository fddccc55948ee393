// Every action with its keys, by menu: those of the view that is shown are opened.
#pragma once

#include <QDialog>

class QMenuBar;

namespace tcpscope {

class ShortcutHelp : public QDialog {
  Q_OBJECT
public:
  explicit ShortcutHelp(const QMenuBar& menus, QWidget* parent = nullptr);
};

}  // namespace tcpscope
