#include "ui/window/demo_bar.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <utility>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kLookAtDemoEvery{100};

}  // namespace

DemoBar::DemoBar(DemoPort& port, QWidget* parent) : QFrame(parent), m_port(port) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setAccessibleName(tr("Demo"));
  QFont bold = font();
  bold.setBold(true);
  m_headline.setFont(bold);
  m_answer.setFont(bold);
  for (QLabel* label : {&m_headline, &m_story, &m_answer, &m_verdict}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  m_answer.setAccessibleName(tr("Truth of the demo"));
  m_verdict.setAccessibleName(tr("Verdict and truth"));
  m_answerButton.setText(tr("Show the truth"));
  m_answerButton.setCheckable(true);
  m_stopButton.setText(tr("End the demo"));
  connect(&m_answerButton, &QToolButton::toggled, this, [this] { poll(); });
  connect(&m_stopButton, &QToolButton::clicked, this, &DemoBar::stop);
  auto* line = new QHBoxLayout;
  line->addWidget(&m_headline, 1);
  line->addWidget(&m_answerButton, 0, Qt::AlignTop);
  line->addWidget(&m_stopButton, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(2);
  layout->addLayout(line);
  layout->addWidget(&m_story);
  layout->addWidget(&m_answer);
  layout->addWidget(&m_verdict);
  hide();
  connect(&m_timer, &QTimer::timeout, this, &DemoBar::poll);
}

void DemoBar::start(std::size_t scenario) {
  m_answerButton.setChecked(false);
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
  const QString title = toQString(m_port.scenarios()[state.scenario].title);
  switch (state.phase) {
    case DemoPhase::starting:
      return tr("Demo: %1 — starting…").arg(title);
    case DemoPhase::running:
      return state.notice.empty() ? tr("Demo: %1").arg(title) : tr("Demo: %1 — %2").arg(title, toQString(state.notice));
    case DemoPhase::failed:
      return tr("The demo “%1” does not run: %2").arg(title, toQString(state.notice));
    case DemoPhase::none:
      break;
  }
  return {};
}

void DemoBar::showState(const DemoState& state) {
  setVisible(state.phase != DemoPhase::none);
  if (state.phase == DemoPhase::none) return;
  const DemoScenario& scenario = m_port.scenarios()[state.scenario];
  m_headline.setText(headline(state));
  const bool tells = m_answerButton.isChecked() && state.phase == DemoPhase::running;
  m_story.setText(toQString(scenario.story));
  m_story.setVisible(state.phase == DemoPhase::running && !scenario.story.empty());
  m_answer.setText(scenario.truth.empty() ? tr("This demo is a comparison: it has no single fault.")
                                          : tr("The truth: %1").arg(toQString(scenario.truth)));
  m_answer.setVisible(tells);
  m_verdict.setText(tr("What tcpscope says: %1").arg(toQString(state.verdict)));
  m_verdict.setVisible(tells && !state.verdict.empty());
  m_answerButton.setText(tells ? tr("Hide the truth") : tr("Show the truth"));
  m_answerButton.setVisible(state.phase == DemoPhase::running);
  m_stopButton.setText(state.phase == DemoPhase::failed ? tr("Close") : tr("End the demo"));
}

}  // namespace tcpscope
