// Which tuning for which load: what to use, why, where tcpscope helps, and what the paper recommended.
#pragma once

#include <QDialog>

namespace tcpscope {

class TuningGuideHelp : public QDialog {
  Q_OBJECT
public:
  explicit TuningGuideHelp(QWidget* parent = nullptr);
};

}  // namespace tcpscope
