#include "ui/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/present/svg/plot_canvas.h"

namespace tcpscope {

namespace {

struct Pair {
  QRgb light;
  QRgb dark;
  [[nodiscard]] QColor in(Appearance appearance) const {
    return QColor(appearance == Appearance::light ? light : dark);
  }
};

/// What plots of a report have in the same colour.
constexpr Pair ofPlots(PlotInk ink) {
  constexpr QRgb kOpaque = 0xff000000;
  const PlotColor& color = kPlotColors[static_cast<std::size_t>(ink)];
  return {kOpaque | color.light, kOpaque | color.dark};
}

/// Stands out where it colours words; plots fill areas with a quieter one.
constexpr Pair kIdle{0xff7a828c, 0xff8d97a3};

constexpr std::array<Pair, kTraceStyleCount> kTraceColors = {{
    ofPlots(PlotInk::firstTrace),
    ofPlots(PlotInk::secondTrace),
    ofPlots(PlotInk::thirdTrace),
    ofPlots(PlotInk::fourthTrace),
    {0xff86680a, 0xfff0e442},
    {0xff1f6f8f, 0xff8fd3ff},
    {0xff444c56, 0xffc9d1d9},
    {0xff8f1d1d, 0xfff2676a},
}};

constexpr std::array<Qt::PenStyle, kTraceStyleCount> kTraceLines = {Qt::SolidLine,   Qt::DashLine,  Qt::DotLine,
                                                                    Qt::DashDotLine, Qt::SolidLine, Qt::DashDotDotLine,
                                                                    Qt::DashLine,    Qt::DotLine};

constexpr std::array<Pair, 3> kSeverityColors = {{
    {0xff0072b2, 0xff56a8e0},
    {0xff9a7600, 0xfff0c542},
    {0xffb3261e, 0xfff2676a},
}};

double channel(double value) {
  return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

std::size_t wrapped(int index) {
  return static_cast<std::size_t>(((index % kTraceStyleCount) + kTraceStyleCount) % kTraceStyleCount);
}

}  // namespace

QPalette themePalette(Appearance appearance) {
  const auto pick = [appearance](QRgb light, QRgb dark) { return Pair{light, dark}.in(appearance); };
  QPalette palette(pick(0xffe6e9ed, 0xff2b3037), pick(0xfff3f5f7, 0xff1e2227));
  const QColor text = pick(0xff1b1f24, 0xffe6e9ec);
  palette.setColor(QPalette::WindowText, text);
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::ButtonText, text);
  palette.setColor(QPalette::Base, pick(0xffffffff, 0xff15181c));
  palette.setColor(QPalette::AlternateBase, pick(0xfff6f8fa, 0xff1a1e23));
  palette.setColor(QPalette::ToolTipBase, pick(0xfffffbe6, 0xff2b3037));
  palette.setColor(QPalette::ToolTipText, text);
  palette.setColor(QPalette::PlaceholderText, quietTextColor(appearance));
  palette.setColor(QPalette::Highlight, pick(0xff0b5fa5, 0xff2f6ea8));
  palette.setColor(QPalette::HighlightedText, QColor(Qt::white));
  palette.setColor(QPalette::Link, pick(0xff0060a0, 0xff6cb6ef));
  palette.setColor(QPalette::LinkVisited, pick(0xff7a3d8f, 0xffc79be0));
  palette.setColor(QPalette::BrightText, QColor(Qt::white));
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, pick(0xff7d858d, 0xff7f8891));
  return palette;
}

Appearance appearanceOf(const QPalette& palette) {
  return luminance(palette.color(QPalette::Window)) < luminance(palette.color(QPalette::WindowText))
             ? Appearance::dark
             : Appearance::light;
}

QColor limitColor(Limit limit, Appearance appearance) {
  return (limit == Limit::idle ? kIdle : ofPlots(limitInk(limit))).in(appearance);
}

QColor severityColor(FindingSeverity severity, Appearance appearance) {
  return kSeverityColors[static_cast<std::size_t>(severity)].in(appearance);
}

QColor traceColor(int index, Appearance appearance) {
  return kTraceColors[wrapped(index)].in(appearance);
}

Qt::PenStyle traceLine(int index) {
  return kTraceLines[wrapped(index)];
}

QColor gridColor(Appearance appearance) {
  return Pair{0xffdfe3e8, 0xff2d333a}.in(appearance);
}

QColor axisColor(Appearance appearance) {
  return Pair{0xff4a525b, 0xffaeb6bf}.in(appearance);
}

QColor cursorColor(Appearance appearance) {
  return Pair{0xff6b3fa0, 0xffd2b4ff}.in(appearance);
}

QColor referenceColor(Appearance appearance) {
  return Pair{0xff9aa1a9, 0xff707982}.in(appearance);
}

QColor entryBackground(EntryState state, Appearance appearance) {
  switch (state) {
    case EntryState::good:
      return Pair{0xffd9f2e3, 0xff14392a}.in(appearance);
    case EntryState::incomplete:
      return Pair{0xfffff3c4, 0xff453a10}.in(appearance);
    case EntryState::wrong:
      return Pair{0xffffdad6, 0xff55201d}.in(appearance);
    case EntryState::neutral:
      break;
  }
  return Pair{0xffffffff, 0xff15181c}.in(appearance);
}

QColor quietTextColor(Appearance appearance) {
  return Pair{0xff5d6670, 0xff9aa4ae}.in(appearance);
}

QColor textColorOn(const QColor& background) {
  return contrastRatio(Qt::black, background) >= contrastRatio(Qt::white, background) ? Qt::black : Qt::white;
}

double contrastRatio(const QColor& a, const QColor& b) {
  const double first = luminance(a);
  const double second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

}  // namespace tcpscope
