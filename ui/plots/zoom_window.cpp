#include "ui/plots/zoom_window.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

namespace {

constexpr Nanoseconds kNarrowest = std::chrono::microseconds(1);

Nanoseconds scaled(Nanoseconds span, double factor) {
  return Nanoseconds(static_cast<std::int64_t>(std::llround(static_cast<double>(span.count()) * factor)));
}

}  // namespace

void ZoomWindow::setWhole(TimeSpan whole) {
  if (whole.to - whole.from < kNarrowest) whole.to = whole.from + kNarrowest;
  const bool onlyGrew = whole.from == m_whole.from && whole.to >= m_whole.to && !isWhole();
  if (whole == m_whole) return;
  m_whole = whole;
  if (!onlyGrew) showWhole();
}

void ZoomWindow::showWhole() {
  m_shown = m_whole;
  m_values.reset();
}

void ZoomWindow::grow(TimeSpan whole, Nanoseconds longest) {
  if (whole.to - whole.from < kNarrowest) whole.to = whole.from + kNarrowest;
  const bool showedAll = m_shown == m_whole;
  const bool reachedEnd = m_shown.to >= m_whole.to;
  const Nanoseconds length = showedAll ? std::min(whole.to - whole.from, longest) : m_shown.to - m_shown.from;
  m_whole = whole;
  show(reachedEnd ? TimeSpan{whole.to - length, whole.to} : m_shown);
}

void ZoomWindow::show(TimeSpan span) {
  const Nanoseconds length =
      std::clamp(span.to - span.from, kNarrowest, std::max(m_whole.to - m_whole.from, kNarrowest));
  const Moment from = std::clamp(span.from, m_whole.from, std::max(m_whole.from, m_whole.to - length));
  m_shown = {from, from + length};
}

void ZoomWindow::zoom(double factor, Moment anchor) {
  anchor = std::clamp(anchor, m_shown.from, m_shown.to);
  const Nanoseconds length = m_shown.to - m_shown.from;
  const Nanoseconds wanted = std::max(scaled(length, factor), kNarrowest);
  const double share = static_cast<double>((anchor - m_shown.from).count()) / static_cast<double>(length.count());
  const Moment from = anchor - scaled(wanted, share);
  show({from, from + wanted});
}

void ZoomWindow::pan(Nanoseconds by) {
  show({m_shown.from + by, m_shown.to + by});
}

void ZoomWindow::bringIntoSight(Moment moment) {
  const Nanoseconds length = m_shown.to - m_shown.from;
  if (moment >= m_shown.from + length / 10 && moment <= m_shown.to - length / 10) return;
  show({moment - length / 2, moment + length / 2});
}

void ZoomWindow::showValues(ValueRange range) {
  if (!std::isfinite(range.from) || !std::isfinite(range.to) || range.to <= range.from) return;
  m_values = range;
}

void ZoomWindow::zoomValues(double factor, double anchor, ValueRange shown) {
  showValues({anchor - (anchor - shown.from) * factor, anchor + (shown.to - anchor) * factor});
}

}  // namespace tcpscope
