#include "ui/window/replay_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <algorithm>
#include <array>

#include "ui/text/wall_text.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kLookAtReplayEvery{100};
/// Shorter waits are not shown.
constexpr int kReadingReportedFrom = 3;

/// Without a ratio: as fast as it goes.
constexpr std::array<std::optional<double>, 6> kReplaySpeeds = {0.25, 1.0, 4.0, 16.0, 60.0, std::nullopt};

QString speedText(std::optional<double> ratio) {
  if (!ratio) return QStringLiteral("As fast as possible");
  return *ratio < 1.0 ? QStringLiteral("1/%1 ×").arg(1.0 / *ratio) : QStringLiteral("%1 ×").arg(*ratio);
}

/// "00:12:31"
QString clockText(Nanoseconds span) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(span).count();
  const QLatin1Char zero('0');
  return QStringLiteral("%1:%2:%3")
      .arg(whole / 3600, 2, 10, zero)
      .arg(whole / 60 % 60, 2, 10, zero)
      .arg(whole % 60, 2, 10, zero);
}

QString positionTextOf(const ReplayState& state) {
  QString at = clockText(state.at - state.clock.monotonic);
  if (!state.end) return at;
  return QStringLiteral("%1 of %2").arg(at, clockText(*state.end - state.clock.monotonic));
}

}  // namespace

ReplayBar::ReplayBar(ReplayPort& port, QWidget* parent) : QFrame(parent), m_port(port) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setAccessibleName(QStringLiteral("Replay"));
  buildActions();
  for (const auto& ratio : kReplaySpeeds) m_speed.addItem(speedText(ratio));
  m_speed.setAccessibleName(QStringLiteral("Playback speed"));
  m_speed.setToolTip(QStringLiteral("Playback speed"));
  connect(&m_speed, &QComboBox::activated, this, [this](int index) {
    m_port.setSpeed(kReplaySpeeds[static_cast<std::size_t>(index)]);
    poll();
  });
  connect(&m_slider, &ReplaySlider::momentWanted, this, &ReplayBar::seek);
  m_position.setAccessibleName(QStringLiteral("Position in the recording"));
  m_time.setAccessibleName(QStringLiteral("Time of day in the recording"));
  for (QLabel* label : {&m_position, &m_time}) {
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
  buildLayout();
  keepWidths();
  drawIcons();
  connect(&m_timer, &QTimer::timeout, this, [this] {
    const auto state = m_port.state();
    m_readingFor = state && state->isSeeking ? m_readingFor + 1 : 0;
    showState(state);
  });
  showState(std::nullopt);
}

void ReplayBar::build(QAction& action, const QString& text, const QList<QKeySequence>& keys, void (ReplayBar::*act)()) {
  action.setText(text);
  action.setShortcuts(keys);
  connect(&action, &QAction::triggered, this, act);
}

void ReplayBar::buildActions() {
  build(m_toStart, QStringLiteral("To the &start"), {Qt::ALT | Qt::Key_Home}, &ReplayBar::toStart);
  build(m_stepBack, QStringLiteral("1 second &back"), {Qt::ALT | Qt::Key_Left}, &ReplayBar::stepBack);
  build(m_playBack, QStringLiteral("Play back&wards"), {Qt::CTRL | Qt::SHIFT | Qt::Key_B}, &ReplayBar::playBack);
  build(m_play, QStringLiteral("&Play"), {Qt::CTRL | Qt::SHIFT | Qt::Key_P, Qt::Key_MediaTogglePlayPause},
        &ReplayBar::play);
  build(m_stepForward, QStringLiteral("1 second &forward"), {Qt::ALT | Qt::Key_Right}, &ReplayBar::stepForward);
  build(m_toEnd, QStringLiteral("To the &end"), {Qt::ALT | Qt::Key_End}, &ReplayBar::toEnd);
  build(m_speedAction, QStringLiteral("Spee&d…"), {}, &ReplayBar::chooseSpeed);
  m_toStart.setToolTip(QStringLiteral("To the start (Alt+Home)"));
  m_stepBack.setToolTip(QStringLiteral("1 second back (Alt+Left)"));
  m_stepForward.setToolTip(QStringLiteral("1 second forward (Alt+Right)"));
  m_toEnd.setToolTip(QStringLiteral("To the end (Alt+End)"));
}

QList<QAction*> ReplayBar::menuActions() {
  return {&m_play, &m_playBack, &m_stepBack, &m_stepForward, &m_toStart, &m_toEnd, &m_speedAction};
}

void ReplayBar::buildLayout() {
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(8, 4, 8, 4);
  for (QAction* action : {&m_toStart, &m_stepBack, &m_playBack, &m_play, &m_stepForward, &m_toEnd}) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    line->addWidget(button);
  }
  line->addWidget(&m_slider, 1);
  line->addWidget(&m_position);
  line->addWidget(&m_time);
  line->addWidget(&m_speed);
}

/// Nothing moves when a figure changes.
void ReplayBar::keepWidths() {
  const auto widthOf = [this](const QString& widest) { return fontMetrics().horizontalAdvance(widest); };
  m_position.setMinimumWidth(
      widthOf(QStringLiteral("%1 of %2").arg(QStringLiteral("00:00:00"), QStringLiteral("00:00:00"))));
  m_time.setMinimumWidth(widthOf(QStringLiteral("  0000-00-00 00:00:00")));
}

void ReplayBar::drawIcons() {
  m_toStart.setIcon(replayIcon(ReplaySign::toStart, palette()));
  m_stepBack.setIcon(replayIcon(ReplaySign::stepBack, palette()));
  m_playBack.setIcon(replayIcon(m_goesBackwards ? ReplaySign::pause : ReplaySign::playBack, palette()));
  m_play.setIcon(replayIcon(m_goesForwards ? ReplaySign::pause : ReplaySign::play, palette()));
  m_stepForward.setIcon(replayIcon(ReplaySign::stepForward, palette()));
  m_toEnd.setIcon(replayIcon(ReplaySign::toEnd, palette()));
}

void ReplayBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) drawIcons();
  if (event->type() == QEvent::FontChange) keepWidths();
}

void ReplayBar::poll() {
  showState(m_port.state());
}

void ReplayBar::showState(const std::optional<ReplayState>& state) {
  setVisible(state.has_value());
  for (QAction* action : menuActions()) action->setEnabled(state.has_value());
  if (!state) return m_timer.stop();
  if (!m_timer.isActive()) m_timer.start(kLookAtReplayEvery);
  m_slider.showState(*state);
  m_position.setText(positionTextOf(*state));
  m_time.setText(m_readingFor >= kReadingReportedFrom ? QStringLiteral("reading…") : wallText(state->clock, state->at));
  m_slider.setAccessibleDescription(m_position.text());
  showSpeed(*state);
  showMotion(state->isPlaying && !state->isBackwards, state->isPlaying && state->isBackwards);
}

/// The way that it goes is the way that can be paused.
void ReplayBar::showMotion(bool forwards, bool backwards) {
  m_play.setText(forwards ? QStringLiteral("&Pause") : QStringLiteral("&Play"));
  m_play.setToolTip(forwards ? QStringLiteral("Pause (Ctrl+Shift+P)") : QStringLiteral("Play (Ctrl+Shift+P)"));
  m_playBack.setText(backwards ? QStringLiteral("&Pause") : QStringLiteral("Play back&wards"));
  m_playBack.setToolTip(backwards ? QStringLiteral("Pause (Ctrl+Shift+B)")
                                  : QStringLiteral("Play backwards (Ctrl+Shift+B)"));
  const bool turned = std::exchange(m_goesForwards, forwards) != forwards;
  if ((std::exchange(m_goesBackwards, backwards) != backwards) || turned) drawIcons();
}

void ReplayBar::showSpeed(const ReplayState& state) {
  const auto* const found = std::find(kReplaySpeeds.begin(), kReplaySpeeds.end(), state.speedRatio);
  if (found != kReplaySpeeds.end()) m_speed.setCurrentIndex(static_cast<int>(found - kReplaySpeeds.begin()));
}

void ReplayBar::play() {
  const auto state = m_port.state();
  if (state && state->isPlaying && !state->isBackwards) {
    m_port.pause();
  } else {
    m_port.play();
  }
  poll();
}

void ReplayBar::playBack() {
  const auto state = m_port.state();
  if (state && state->isPlaying && state->isBackwards) {
    m_port.pause();
  } else {
    m_port.playBack();
  }
  poll();
}

void ReplayBar::playOrPause() {
  const auto state = m_port.state();
  return state && state->isBackwards ? playBack() : play();
}

void ReplayBar::step(Nanoseconds by) {
  if (const auto state = m_port.state()) seek(state->at + by);
}

void ReplayBar::toStart() {
  if (const auto state = m_port.state()) seek(state->clock.monotonic);
}

void ReplayBar::toEnd() {
  const auto state = m_port.state();
  if (state && state->end) seek(*state->end);
}

void ReplayBar::seek(Moment moment) {
  const auto state = m_port.state();
  if (!state) return;
  m_port.seek(
      std::clamp(moment, state->clock.monotonic, std::max(state->clock.monotonic, state->end.value_or(moment))));
  poll();
}

void ReplayBar::chooseSpeed() {
  m_speed.setFocus(Qt::ShortcutFocusReason);
  m_speed.showPopup();
}

void ReplayBar::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() != Qt::NoModifier && event->modifiers() != Qt::KeypadModifier)
    return QFrame::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Space:
      return playOrPause();
    case Qt::Key_Left:
      return stepBack();
    case Qt::Key_Right:
      return stepForward();
    case Qt::Key_Home:
      return toStart();
    case Qt::Key_End:
      return toEnd();
    default:
      QFrame::keyPressEvent(event);
  }
}

}  // namespace tcpscope
