#include "ui/window/view_help.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/window/shortcut_help.h"
#include "ui/window/view_stack.h"

namespace tcpscope {

ViewHelp::ViewHelp(const ViewStack& views, QWidget* parent) : QDialog(parent) {
  const auto index = static_cast<std::size_t>(views.currentIndex());
  const ViewRow& row = viewCatalogue()[index];
  setWindowTitle(QStringLiteral("Help: %1").arg(QString::fromUtf8(row.title)));
  resize(620, 560);
  auto* text = new QLabel(QString::fromUtf8(row.help));
  text->setTextFormat(Qt::PlainText);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text);
  QTreeWidget* keys = makeShortcutTree();
  keys->setRootIsDecorated(false);
  addShortcuts(*keys->invisibleRootItem(), views.views()[index]->actions());
  if (keys->topLevelItemCount() > 0) {
    layout->addSpacing(6);
    layout->addWidget(keys, 1);
  } else {
    delete keys;
    layout->addStretch(1);
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
}

}  // namespace tcpscope
