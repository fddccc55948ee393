#include "ui/window/text_size.h"

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <algorithm>
#include <cmath>

namespace tcpscope {

namespace {

constexpr int kUsualPercent = 100;
constexpr int kLeastPercent = 80;
constexpr int kMostPercent = 200;
constexpr int kStepPercent = 10;
constexpr const char* kPercentSetting = "window/textPercent";

/// Rows of tables have one height, whatever is in them.
void growRows(const QWidget& window, int pixels) {
  for (const QTableView* table : window.findChildren<QTableView*>()) {
    QHeaderView& rows = *table->verticalHeader();
    rows.setDefaultSectionSize(rows.defaultSectionSize() + pixels);
  }
}

/// Columns show as many letters as before.
void growColumns(const QWidget& window, double ratio) {
  for (QHeaderView* header : window.findChildren<QHeaderView*>()) {
    if (header->orientation() != Qt::Horizontal) continue;
    for (int column = 0; column < header->count(); ++column) {
      if (header->sectionResizeMode(column) != QHeaderView::Interactive) continue;
      // A hidden one has its size while it is shown only.
      const bool isHidden = header->isSectionHidden(column);
      if (isHidden) header->showSection(column);
      header->resizeSection(column, static_cast<int>(std::lround(header->sectionSize(column) * ratio)));
      if (isHidden) header->hideSection(column);
    }
  }
}

}  // namespace

void growOwnSizes(const QWidget& window, double ratio) {
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    QFont font = widget->font();
    const bool hasOwnSize = widget->testAttribute(Qt::WA_SetFont) && (font.resolveMask() & QFont::SizeResolved) != 0U;
    if (!hasOwnSize || font.pointSizeF() <= 0.0) continue;
    font.setPointSizeF(font.pointSizeF() * ratio);
    widget->setFont(font);
  }
}

TextSize::TextSize(QWidget& window) : QObject(&window), m_window(window), m_usual(QApplication::font()) {}

void TextSize::addTo(QMenu& menu) {
  QMenu* sizes = menu.addMenu(QStringLiteral("Te&xt size"));
  QAction* larger = sizes->addAction(QStringLiteral("&Larger"), this, [this] { setPercent(m_percent + kStepPercent); });
  larger->setShortcuts({QKeySequence(QKeySequence::ZoomIn), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
  QAction* smaller =
      sizes->addAction(QStringLiteral("&Smaller"), this, [this] { setPercent(m_percent - kStepPercent); });
  smaller->setShortcut(QKeySequence::ZoomOut);
  sizes->addAction(QStringLiteral("&Default"), this, [this] { setPercent(kUsualPercent); });
}

void TextSize::setPercent(int percent) {
  percent = std::clamp(percent, kLeastPercent, kMostPercent);
  if (percent == m_percent) return;
  const double ratio = static_cast<double>(percent) / m_percent;
  m_percent = percent;
  QFont font = m_usual;
  font.setPointSizeF(m_usual.pointSizeF() * percent / 100.0);
  // Widgets take the new font over later, with the next events.
  growRows(m_window, QFontMetrics(font).height() - QFontMetrics(QApplication::font()).height());
  growColumns(m_window, ratio);
  growOwnSizes(m_window, ratio);
  QApplication::setFont(font);
}

void TextSize::saveSettings(QSettings& settings) const {
  settings.setValue(kPercentSetting, m_percent);
}

void TextSize::restoreSettings(QSettings& settings) {
  setPercent(settings.value(kPercentSetting, kUsualPercent).toInt());
}

}  // namespace tcpscope
