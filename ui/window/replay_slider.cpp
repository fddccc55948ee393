#include "ui/window/replay_slider.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyleOptionSlider>
#include <QToolTip>
#include <algorithm>

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

constexpr int kMostSteps = 1'000'000'000;
constexpr Nanoseconds kPage = std::chrono::seconds(10);
/// A mark is found with a hand that is not quite still.
constexpr int kMarkReachPixels = 4;
constexpr int kMarkPixels = 5;

}  // namespace

ReplaySlider::ReplaySlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  setAccessibleName(QStringLiteral("Position in the recording"));
  // The groove is thin: what is pressed above or below it is meant, too.
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  connect(this, &QSlider::valueChanged, this, [this](int value) { emit momentWanted(momentOf(value)); });
}

void ReplaySlider::showState(const ReplayState& state) {
  const QSignalBlocker quiet(this);
  m_begin = state.clock.monotonic;
  const Nanoseconds length = std::max(state.end.value_or(state.at), state.at) - m_begin;
  m_step = std::max<Nanoseconds>(Milliseconds(1), length / kMostSteps);
  setRange(0, valueOf(m_begin + length));
  setSingleStep(valueOf(m_begin + std::chrono::seconds(1)));
  setPageStep(valueOf(m_begin + kPage));
  if (!isSliderDown()) setValue(valueOf(state.at));
  setEnabled(state.end.has_value());
  if (m_marks == state.marks) return;
  m_marks = state.marks;
  update();
}

int ReplaySlider::valueOf(Moment moment) const {
  return static_cast<int>(std::clamp<std::int64_t>((moment - m_begin) / m_step, 0, kMostSteps));
}

Moment ReplaySlider::momentOf(int value) const {
  return m_begin + value * m_step;
}

int ReplaySlider::handleWidth() const {
  return style()->pixelMetric(QStyle::PM_SliderLength, nullptr, this);
}

QRect ReplaySlider::handleRect() const {
  QStyleOptionSlider option;
  initStyleOption(&option);
  return style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
}

int ReplaySlider::xOf(Moment moment) const {
  const int handle = handleWidth();
  return handle / 2 + QStyle::sliderPositionFromValue(0, maximum(), valueOf(moment), width() - handle);
}

int ReplaySlider::valueAtX(int x) const {
  const int handle = handleWidth();
  return QStyle::sliderValueFromPosition(0, maximum(), x - handle / 2, width() - handle);
}

void ReplaySlider::paintEvent(QPaintEvent* event) {
  QSlider::paintEvent(event);
  QPainter painter(this);
  const QColor color = severityColor(FindingSeverity::warning, appearanceOf(palette()));
  for (const ReplayMark& mark : m_marks) painter.fillRect(xOf(mark.time) - 1, 0, 2, kMarkPixels, color);
}

/// The handle jumps to the pressed position, and is dragged from there.
void ReplaySlider::mousePressEvent(QMouseEvent* event) {
  const QPoint pressed = event->position().toPoint();
  const QRect handle = handleRect();
  const bool isOnHandle = pressed.x() >= handle.left() && pressed.x() <= handle.right();
  if (event->button() == Qt::LeftButton && !isOnHandle) setValue(valueAtX(pressed.x()));
  // At the height of the handle, whose it is to be dragged.
  const QPointF onHandle(pressed.x(), handle.center().y());
  QMouseEvent there(event->type(), onHandle, event->scenePosition(), event->globalPosition(), event->button(),
                    event->buttons(), event->modifiers(), event->pointingDevice());
  QSlider::mousePressEvent(&there);
  event->setAccepted(there.isAccepted());
}

void ReplaySlider::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_Space:
      event->ignore();
      return;
    default:
      QSlider::keyPressEvent(event);
  }
}

QString ReplaySlider::textAtX(int x) const {
  QStringList lines;
  for (const ReplayMark& mark : m_marks) {
    if (std::abs(xOf(mark.time) - x) <= kMarkReachPixels) lines << toQString(mark.text);
  }
  return lines.join(QLatin1Char('\n'));
}

bool ReplaySlider::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QSlider::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), toolTipText(textAtX(help->pos().x())), this);
  return true;
}

}  // namespace tcpscope
