// Every action with its keys, by menu: those of the view that is shown are opened.
#pragma once

#include <QDialog>

class QAction;
class QMenuBar;
class QTreeWidget;
class QTreeWidgetItem;

namespace tcpscope {

class ShortcutHelp : public QDialog {
  Q_OBJECT
public:
  explicit ShortcutHelp(const QMenuBar& menus, QWidget* parent = nullptr);
};

/// A table of actions and their keys, yet without a row.
QTreeWidget* makeShortcutTree();
/// Those of them, and of their menus, that have keys.
void addShortcuts(QTreeWidgetItem& parent, const QList<QAction*>& actions);

}  // namespace tcpscope
