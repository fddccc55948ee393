// The bar of a recording that plays: play it either way and pause, where it stands, how fast it goes,
// a step back or on.
//
// Its actions are for a menu, too; their keys are none that a view or a list uses. While the bar has the focus, Space,
// Left, Right, Home and End do the same.
#pragma once

#include <QAction>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QTimer>
#include <QToolButton>

#include "ui/window/replay_icons.h"
#include "ui/window/replay_slider.h"

namespace tcpscope {

class ReplayBar : public QFrame {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit ReplayBar(ReplayPort& port, QWidget* parent = nullptr);

  /// Looks at the port now, and from then on as long as a recording is shown.
  void poll();

  /// For a menu, in its order.
  [[nodiscard]] QList<QAction*> menuActions();
  [[nodiscard]] QString positionText() const { return m_position.text(); }
  /// The time of day that is shown, or that it is still being read.
  [[nodiscard]] QString timeText() const { return m_time.text(); }

protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void buildActions();
  void buildLayout();
  void build(QAction& action, const QString& text, const QList<QKeySequence>& keys, void (ReplayBar::*act)());
  void keepWidths();
  void drawIcons();
  void showState(const std::optional<ReplayState>& state);
  void showSpeed(const ReplayState& state);
  void showMotion(bool forwards, bool backwards);
  void play();
  void playBack();
  void playOrPause();
  void stepBack() { step(std::chrono::seconds(-1)); }
  void stepForward() { step(std::chrono::seconds(1)); }
  void step(Nanoseconds by);
  void toStart();
  void toEnd();
  void chooseSpeed();
  void seek(Moment moment);

  ReplayPort& m_port;
  QTimer m_timer;
  /// How often the timer found it reading.
  int m_readingFor = 0;
  bool m_goesForwards = false;
  bool m_goesBackwards = false;
  QAction m_toStart;
  QAction m_stepBack;
  QAction m_playBack;
  QAction m_play;
  QAction m_stepForward;
  QAction m_toEnd;
  QAction m_speedAction;
  ReplaySlider m_slider;
  QLabel m_position;
  QLabel m_time;
  QComboBox m_speed;
};

}  // namespace tcpscope
