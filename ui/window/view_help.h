// The help of the view in front: what it shows, how to read it, and its keys.
#pragma once

#include <QDialog>

namespace tcpscope {

class ViewStack;

class ViewHelp : public QDialog {
  Q_OBJECT
public:
  explicit ViewHelp(const ViewStack& views, QWidget* parent = nullptr);
};

}  // namespace tcpscope
