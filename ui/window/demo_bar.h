// The line that a demo has in the window: which one runs, its truth one click away, and the way out.
//
// Looks at the port a few times a second, as the feed does at its own: nothing of the lab calls into the GUI.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QTimer>
#include <QToolButton>

#include "ui/feed/demo_port.h"

namespace tcpscope {

class DemoBar : public QFrame {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit DemoBar(DemoPort& port, QWidget* parent = nullptr);

  void start(std::size_t scenario);
  void stop();
  void showAnswer(bool shown) { m_answerButton.setChecked(shown); }
  /// Looks at the port now.
  void poll();

signals:
  /// A demo runs since now; its main connection is the one to look at.
  void started(const tcpscope::ConnectionFilter& main);
  /// The demo that ran does no more.
  void ended();

private:
  void showState(const DemoState& state);
  [[nodiscard]] QString headline(const DemoState& state) const;

  DemoPort& m_port;
  QTimer m_timer;
  DemoPhase m_phase = DemoPhase::none;
  QLabel m_headline;
  QLabel m_story;
  QLabel m_answer;
  QLabel m_verdict;
  QToolButton m_answerButton;
  QToolButton m_stopButton;
};

}  // namespace tcpscope
