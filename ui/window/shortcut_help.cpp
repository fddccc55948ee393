#include "ui/window/shortcut_help.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tcpscope {

namespace {

/// Without the letter of the menu.
QString withoutMnemonic(QString text) {
  return text.replace(QStringLiteral("&&"), QStringLiteral("\x01"))
      .remove(u'&')
      .replace(QStringLiteral("\x01"), QStringLiteral("&"));
}

QString keysOf(const QAction& action) {
  QStringList keys;
  for (const QKeySequence& key : action.shortcuts()) keys << key.toString(QKeySequence::NativeText);
  return keys.join(QStringLiteral(", "));
}

}  // namespace

QTreeWidget* makeShortcutTree() {
  auto* tree = new QTreeWidget;
  tree->setHeaderLabels({QStringLiteral("Action"), QStringLiteral("Keys")});
  tree->setAccessibleName(QStringLiteral("Keyboard shortcuts"));
  tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  tree->header()->setStretchLastSection(false);
  return tree;
}

void addShortcuts(QTreeWidgetItem& parent, const QList<QAction*>& actions) {
  for (const QAction* action : actions) {
    if (action->menu() != nullptr) addShortcuts(parent, action->menu()->actions());
    if (action->menu() != nullptr || action->shortcuts().isEmpty()) continue;
    new QTreeWidgetItem(&parent, {withoutMnemonic(action->text()), keysOf(*action)});
  }
}

ShortcutHelp::ShortcutHelp(const QMenuBar& menus, QWidget* parent) : QDialog(parent) {
  setWindowTitle(QStringLiteral("Keyboard shortcuts"));
  resize(620, 640);
  QTreeWidget* tree = makeShortcutTree();
  for (const QAction* title : menus.actions()) {
    if (title->menu() == nullptr) continue;
    auto* item = new QTreeWidgetItem(tree, {withoutMnemonic(title->text())});
    addShortcuts(*item, title->menu()->actions());
    item->setHidden(item->childCount() == 0);
    // The menus of views that are not shown are disabled.
    item->setExpanded(title->isEnabled());
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(tree, 1);
  layout->addWidget(buttons);
}

}  // namespace tcpscope
