#include "ui/window/letter_size.h"

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <algorithm>

namespace tcpscope {

namespace {

constexpr int kUsualPercent = 100;
constexpr int kLeastPercent = 80;
constexpr int kMostPercent = 200;
constexpr int kStepPercent = 10;
constexpr const char* kPercentSetting = "window/lettersPercent";

/// Rows of tables have one height, whatever is in them.
void fitRows(const QTableView& table, const QFontMetrics& before) {
  QHeaderView& rows = *table.verticalHeader();
  const int margin = rows.defaultSectionSize() - before.height();
  rows.setDefaultSectionSize(table.fontMetrics().height() + margin);
}

}  // namespace

LetterSize::LetterSize(QWidget& window) : QObject(&window), m_window(window), m_usual(QApplication::font()) {}

void LetterSize::addTo(QMenu& menu) {
  QMenu* sizes = menu.addMenu(QStringLiteral("Te&xt size"));
  QAction* larger = sizes->addAction(QStringLiteral("&Larger"), this, [this] { setPercent(m_percent + kStepPercent); });
  larger->setShortcuts({QKeySequence(QKeySequence::ZoomIn), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
  QAction* smaller =
      sizes->addAction(QStringLiteral("&Smaller"), this, [this] { setPercent(m_percent - kStepPercent); });
  smaller->setShortcut(QKeySequence::ZoomOut);
  sizes->addAction(QStringLiteral("&Default"), this, [this] { setPercent(kUsualPercent); });
}

void LetterSize::setPercent(int percent) {
  percent = std::clamp(percent, kLeastPercent, kMostPercent);
  if (percent == m_percent) return;
  m_percent = percent;
  const QList<QTableView*> tables = m_window.findChildren<QTableView*>();
  QList<QFontMetrics> before;
  for (const QTableView* table : tables) before << table->fontMetrics();
  QFont font = m_usual;
  font.setPointSizeF(m_usual.pointSizeF() * percent / 100.0);
  QApplication::setFont(font);
  for (qsizetype index = 0; index < tables.size(); ++index) fitRows(*tables[index], before[index]);
}

void LetterSize::saveSettings(QSettings& settings) const {
  settings.setValue(kPercentSetting, m_percent);
}

void LetterSize::restoreSettings(QSettings& settings) {
  setPercent(settings.value(kPercentSetting, kUsualPercent).toInt());
}

}  // namespace tcpscope
