// A label whose text ends in "…" where it has not enough room: a label of Qt cuts it in the middle of a letter.
#pragma once

#include <QLabel>

namespace tcpscope {

/// text() and what is read aloud stay whole. Takes the room it gets and widens nothing.
class ElidedLabel : public QLabel {
  Q_OBJECT
public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace tcpscope
