// The legend of the limits: each with its colour, its name and how it is measured.
#pragma once

#include <QDialog>

namespace tcpscope {

class LimitsHelp : public QDialog {
  Q_OBJECT
public:
  explicit LimitsHelp(QWidget* parent = nullptr);
};

}  // namespace tcpscope
