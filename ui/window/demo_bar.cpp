#include "ui/window/demo_bar.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <utility>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kLookAtDemoEvery{100};

QString firstQuestion() {
  return QStringLiteral("What limits it?");
}

QString nextQuestion() {
  return QStringLiteral("Not quite. What else limits it?");
}

}  // namespace

DemoBar::DemoBar(DemoPort& port, QWidget* parent) : QFrame(parent), m_port(port) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setAccessibleName(QStringLiteral("Demo"));
  QFont bold = font();
  bold.setBold(true);
  m_headline.setFont(bold);
  m_answer.setFont(bold);
  for (QLabel* label : {&m_headline, &m_story, &m_answer, &m_verdict}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  m_answer.setAccessibleName(QStringLiteral("Answer"));
  m_verdict.setAccessibleName(QStringLiteral("Verdict and answer"));
  m_answerButton.setText(QStringLiteral("Show answer"));
  m_answerButton.setCheckable(true);
  m_stopButton.setText(QStringLiteral("End the demo"));
  connect(&m_answerButton, &QToolButton::toggled, this, [this] { poll(); });
  connect(&m_stopButton, &QToolButton::clicked, this, &DemoBar::stop);
  m_fixButton.setText(QStringLiteral("Fix it…"));
  m_fixButton.setToolTip(QStringLiteral("Preview the change that removes the limit; it is applied on request"));
  connect(&m_fixButton, &QToolButton::clicked, this, [this] {
    m_isFixing = true;
    poll();
    emit fixRequested();
  });
  m_guesses.setLayout(buildGuesses());
  auto* line = new QHBoxLayout;
  line->addWidget(&m_headline, 1);
  line->addWidget(&m_fixButton, 0, Qt::AlignTop);
  line->addWidget(&m_answerButton, 0, Qt::AlignTop);
  line->addWidget(&m_stopButton, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(2);
  layout->addLayout(line);
  layout->addWidget(&m_story);
  layout->addWidget(&m_guesses);
  layout->addWidget(&m_answer);
  layout->addWidget(&m_verdict);
  hide();
  connect(&m_timer, &QTimer::timeout, this, &DemoBar::poll);
}

QLayout* DemoBar::buildGuesses() {
  auto* line = new QHBoxLayout;
  line->setContentsMargins(0, 0, 0, 0);
  m_question.setText(firstQuestion());
  line->addWidget(&m_question);
  for (const DemoGuessRow& row : kDemoGuesses) {
    auto* button = new QToolButton;
    button->setText(QString::fromUtf8(row.title));
    connect(button, &QToolButton::clicked, this, [this, guessed = row.guess] { guess(guessed); });
    line->addWidget(button);
  }
  line->addStretch(1);
  return line;
}

void DemoBar::guess(DemoGuess guess) {
  m_guess = guess;
  const auto limit = m_port.scenarios()[m_port.state().scenario].limit;
  // A wrong guess is not the end: the answer comes on request.
  if (limit && guessOf(*limit) != guess) {
    m_question.setText(nextQuestion());
  } else {
    m_answerButton.setChecked(true);
  }
  poll();
}

QString DemoBar::answer(const DemoScenario& scenario) const {
  if (scenario.truth.empty()) return QStringLiteral("This demo is a comparison: it has no single fault.");
  const bool isRight = m_guess && scenario.limit && guessOf(*scenario.limit) == *m_guess;
  return QStringLiteral("%1: %2").arg(isRight ? QStringLiteral("Right") : QStringLiteral("Answer"),
                                      toQString(scenario.truth));
}

void DemoBar::start(std::size_t scenario) {
  m_answerButton.setChecked(false);
  m_guess.reset();
  m_question.setText(firstQuestion());
  m_isFixing = false;
  m_port.start(scenario);
  m_timer.start(kLookAtDemoEvery);
  poll();
}

void DemoBar::stop() {
  m_port.stop();
  m_timer.stop();
  poll();
}

void DemoBar::poll() {
  const DemoState state = m_port.state();
  const DemoPhase before = std::exchange(m_phase, state.phase);
  if (before == DemoPhase::running && m_phase != DemoPhase::running) emit ended();
  showState(state);
  if (before != DemoPhase::running && m_phase == DemoPhase::running && state.main) emit started(*state.main);
}

QString DemoBar::headline(const DemoState& state) const {
  const DemoScenario& scenario = m_port.scenarios()[state.scenario];
  // Its title would give the answer away.
  const bool isRiddle = scenario.limit && state.phase != DemoPhase::failed && !m_answerButton.isChecked();
  const QString title = isRiddle ? QStringLiteral("find the limit") : toQString(scenario.title);
  switch (state.phase) {
    case DemoPhase::starting:
      return QStringLiteral("Demo: %1 — starting…").arg(title);
    case DemoPhase::running:
      return state.notice.empty() ? QStringLiteral("Demo: %1").arg(title)
                                  : QStringLiteral("Demo: %1 — %2").arg(title, toQString(state.notice));
    case DemoPhase::failed:
      return QStringLiteral("The demo “%1” did not start: %2").arg(title, toQString(state.notice));
    case DemoPhase::none:
      break;
  }
  return {};
}

void DemoBar::showState(const DemoState& state) {
  setVisible(state.phase != DemoPhase::none);
  const bool isRiddle = state.phase == DemoPhase::running && m_port.scenarios()[state.scenario].limit.has_value() &&
                        !m_answerButton.isChecked();
  if (std::exchange(m_isRiddle, isRiddle) != isRiddle) emit riddleChanged(isRiddle);
  if (state.phase == DemoPhase::none) return;
  const DemoScenario& scenario = m_port.scenarios()[state.scenario];
  m_headline.setText(headline(state));
  const bool isAnswerShown = m_answerButton.isChecked() && state.phase == DemoPhase::running;
  const std::string& story = isRiddle ? scenario.setting : scenario.story;
  m_story.setText(toQString(story));
  // The room is the plot's once it is clear what is wrong.
  m_story.setVisible(state.phase == DemoPhase::running && !story.empty() && !(isAnswerShown && m_isFixing));
  // The buttons stay where they are, whatever is asked before them.
  const QFontMetrics letters = m_question.fontMetrics();
  m_question.setMinimumWidth(letters.horizontalAdvance(nextQuestion()) + letters.averageCharWidth());
  m_guesses.setVisible(state.phase == DemoPhase::running && scenario.limit && !isAnswerShown);
  m_fixButton.setVisible(isAnswerShown && scenario.limit.has_value());
  m_answer.setText(answer(scenario));
  m_answer.setVisible(isAnswerShown);
  m_verdict.setText(QStringLiteral("Verdict of tcpscope: %1").arg(toQString(state.verdict)));
  m_verdict.setVisible(isAnswerShown && !m_isFixing && !state.verdict.empty());
  m_answerButton.setText(isAnswerShown ? QStringLiteral("Hide answer") : QStringLiteral("Show answer"));
  m_answerButton.setVisible(state.phase == DemoPhase::running);
  m_stopButton.setText(state.phase == DemoPhase::failed ? QStringLiteral("Close") : QStringLiteral("End the demo"));
}

}  // namespace tcpscope
