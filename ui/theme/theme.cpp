#include "ui/theme/theme.h"

#include <QApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace tcpscope {

namespace {

struct LightAndDark {
  QColor light;
  QColor dark;
  [[nodiscard]] QColor at(bool isDark) const { return isDark ? dark : light; }
};

double luminance(const QColor& color) {
  const auto linear = [](double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

double contrastRatio(const QColor& first, const QColor& second) {
  const auto [darker, lighter] = std::minmax(luminance(first), luminance(second));
  return (lighter + 0.05) / (darker + 0.05);
}

Theme::Theme(QObject* parent) : QObject(parent), m_systemPalette(QApplication::palette()) {
  setChoice(ThemeChoice::system);
}

void Theme::setChoice(ThemeChoice choice) {
  m_choice = choice;
  m_dark = choice == ThemeChoice::dark ||
           (choice == ThemeChoice::system && m_systemPalette.color(QPalette::Window).lightnessF() < 0.5F);
  QApplication::setPalette(palette());
  emit changed();
}

QColor Theme::background() const {
  return LightAndDark{QColor(255, 255, 255), QColor(24, 26, 30)}.at(m_dark);
}
QColor Theme::text() const {
  return LightAndDark{QColor(26, 28, 32), QColor(230, 232, 236)}.at(m_dark);
}
QColor Theme::faintText() const {
  return LightAndDark{QColor(92, 98, 108), QColor(160, 166, 176)}.at(m_dark);
}
QColor Theme::grid() const {
  return LightAndDark{QColor(222, 225, 230), QColor(52, 56, 64)}.at(m_dark);
}

QColor Theme::limit(Limit limit) const {
  static const std::array<LightAndDark, kLimitCount> kColors = {{
      {QColor(0, 114, 178), QColor(86, 180, 233)},     // receiver: blue
      {QColor(180, 80, 140), QColor(204, 121, 167)},   // send buffer: reddish purple
      {QColor(190, 84, 0), QColor(230, 159, 0)},       // network: orange
      {QColor(213, 94, 0), QColor(240, 110, 40)},      // recovery: vermilion
      {QColor(160, 30, 30), QColor(240, 90, 90)},      // timeout: red
      {QColor(0, 130, 96), QColor(0, 178, 132)},       // application: bluish green
      {QColor(140, 146, 156), QColor(110, 116, 126)},  // idle: grey
      {QColor(112, 116, 124), QColor(150, 156, 166)},  // unknown: grey
  }};
  return kColors[static_cast<std::size_t>(limit)].at(m_dark);
}

QColor Theme::severity(FindingSeverity severity) const {
  switch (severity) {
    case FindingSeverity::note:
      return faintText();
    case FindingSeverity::warning:
      return LightAndDark{QColor(150, 90, 0), QColor(230, 159, 0)}.at(m_dark);
    case FindingSeverity::problem:
      return LightAndDark{QColor(176, 40, 20), QColor(250, 120, 100)}.at(m_dark);
  }
  return text();
}

TraceStyle Theme::trace(int index) const {
  static const std::array<LightAndDark, kTraceStyles> kColors = {{
      {QColor(0, 114, 178), QColor(86, 180, 233)},
      {QColor(213, 94, 0), QColor(240, 110, 40)},
      {QColor(0, 130, 96), QColor(0, 178, 132)},
      {QColor(180, 80, 140), QColor(204, 121, 167)},
      {QColor(150, 100, 0), QColor(230, 159, 0)},
      {QColor(0, 0, 0), QColor(240, 228, 66)},
      {QColor(70, 110, 140), QColor(150, 190, 220)},
      {QColor(110, 70, 160), QColor(180, 150, 240)},
  }};
  static constexpr std::array<Qt::PenStyle, 4> kPens = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  const auto at = static_cast<std::size_t>(index);
  return {kColors[at % kColors.size()].at(m_dark), kPens[at % kPens.size()]};
}

QColor Theme::fieldGood() const {
  return LightAndDark{QColor(214, 245, 222), QColor(22, 66, 40)}.at(m_dark);
}
QColor Theme::fieldDoubtful() const {
  return LightAndDark{QColor(255, 244, 200), QColor(84, 68, 10)}.at(m_dark);
}
QColor Theme::fieldWrong() const {
  return LightAndDark{QColor(255, 218, 214), QColor(96, 28, 24)}.at(m_dark);
}

QPalette Theme::palette() const {
  QPalette palette;
  const QColor window = LightAndDark{QColor(243, 244, 246), QColor(32, 35, 40)}.at(m_dark);
  const QColor button = LightAndDark{QColor(232, 234, 238), QColor(46, 50, 57)}.at(m_dark);
  const QColor alternate = LightAndDark{QColor(247, 248, 250), QColor(29, 31, 36)}.at(m_dark);
  const QColor highlight = LightAndDark{QColor(0, 98, 158), QColor(30, 92, 140)}.at(m_dark);
  palette.setColor(QPalette::Window, window);
  palette.setColor(QPalette::WindowText, text());
  palette.setColor(QPalette::Base, background());
  palette.setColor(QPalette::AlternateBase, alternate);
  palette.setColor(QPalette::Text, text());
  palette.setColor(QPalette::Button, button);
  palette.setColor(QPalette::ButtonText, text());
  palette.setColor(QPalette::ToolTipBase, button);
  palette.setColor(QPalette::ToolTipText, text());
  palette.setColor(QPalette::PlaceholderText, faintText());
  palette.setColor(QPalette::Highlight, highlight);
  palette.setColor(QPalette::HighlightedText, QColor(255, 255, 255));
  palette.setColor(QPalette::Link, trace(0).color);
  palette.setColor(QPalette::Mid, grid());
  palette.setColor(QPalette::Dark, grid().darker(m_dark ? 70 : 120));
  palette.setColor(QPalette::Light, m_dark ? button.lighter(120) : QColor(255, 255, 255));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, faintText());
  }
  return palette;
}

}  // namespace tcpscope
