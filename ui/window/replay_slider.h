// Where a recording stands, to be dragged or clicked anywhere; what happened in it is marked.
//
// Values are steps of a millisecond, longer in recordings of weeks. Keys that mean something to the bar around it pass
// on to that.
#pragma once

#include <QSlider>

#include "core/base/units.h"
#include "ui/feed/replay_port.h"

namespace tcpscope {

class ReplaySlider : public QSlider {
  Q_OBJECT
public:
  explicit ReplaySlider(QWidget* parent = nullptr);

  /// Without a signal, and without effect while the handle is dragged.
  void showState(const ReplayState& state);

signals:
  /// The user asks for this position.
  void momentWanted(tcpscope::Moment moment);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

private:
  [[nodiscard]] int valueOf(Moment moment) const;
  [[nodiscard]] Moment momentOf(int value) const;
  /// Of the middle of the handle.
  [[nodiscard]] int xOf(Moment moment) const;
  [[nodiscard]] int valueAtX(int x) const;
  [[nodiscard]] int handleWidth() const;
  [[nodiscard]] QRect handleRect() const;
  [[nodiscard]] QString textAtX(int x) const;

  Moment m_begin;
  Nanoseconds m_step = Milliseconds(1);
  std::vector<ReplayMark> m_marks;
};

}  // namespace tcpscope
