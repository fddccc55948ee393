// The bar of a demo: which one runs, what a guest takes for its limit, the answer one click away, the way to what
// removes it, and how to end it.
//
// Polls the port a few times a second, as the feed does its own: nothing of the lab calls into the GUI.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QTimer>
#include <QToolButton>

#include "ui/feed/demo_port.h"
#include "ui/window/demo_guess.h"

namespace tcpscope {

class DemoBar : public QFrame {
  Q_OBJECT
public:
  /// `port` outlives the bar.
  explicit DemoBar(DemoPort& port, QWidget* parent = nullptr);

  void start(std::size_t scenario);
  void stop();
  void showAnswer(bool shown) { m_answerButton.setChecked(shown); }
  /// Shows the answer, and whether this was it.
  void guess(DemoGuess guess);
  /// Polls the port now.
  void poll();

signals:
  /// A demo runs from now on; its main connection is the one to show.
  void started(const tcpscope::ConnectionFilter& main);
  /// The demo that ran has ended.
  void ended();
  /// What removes the limit is to be previewed.
  void fixRequested();
  /// The limit is to be guessed from now on, or no longer.
  void riddleChanged(bool isRiddle);

private:
  void showState(const DemoState& state);
  [[nodiscard]] QString headline(const DemoState& state) const;
  [[nodiscard]] QString answer(const DemoScenario& scenario) const;
  [[nodiscard]] QLayout* buildGuesses();

  DemoPort& m_port;
  QTimer m_timer;
  DemoPhase m_phase = DemoPhase::none;
  bool m_isRiddle = false;
  QLabel m_headline;
  QLabel m_story;
  QLabel m_answer;
  QLabel m_verdict;
  QWidget m_guesses;
  QLabel m_question;
  std::optional<DemoGuess> m_guess;
  /// From then on the verdict is about another set-up than the answer.
  bool m_isFixing = false;
  QToolButton m_fixButton;
  QToolButton m_answerButton;
  QToolButton m_stopButton;
};

}  // namespace tcpscope
