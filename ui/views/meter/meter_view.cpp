#include "ui/views/meter/meter_view.h"

#include <QAction>
#include <QBoxLayout>
#include <QScrollArea>
#include <QSettings>
#include <algorithm>
#include <array>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr std::array<Metric, 6> kFirstMeters = {Metric::sendGoodput, Metric::receiveGoodput,
                                                Metric::rtt,         Metric::congestionWindowBytes,
                                                Metric::sndWnd,      Metric::totalRetrans};

}  // namespace

MeterView::MeterView(const ViewContext& context, QWidget* parent)
    : View(context, parent), m_board(new QWidget), m_grid(new QGridLayout) {
  m_choice.addItem(QStringLiteral("Add a meter…"));
  for (const MetricRow& row : metricCatalogue()) {
    if (row.unit != MetricUnit::name) m_choice.addItem(toQString(row.title), static_cast<int>(row.metric));
  }
  m_choice.setAccessibleName(QStringLiteral("Add a meter"));
  m_choice.setMaxVisibleItems(20);
  connect(&m_choice, &QComboBox::activated, this, [this](int index) {
    if (index > 0) openMetric(static_cast<Metric>(m_choice.itemData(index).toInt()));
    m_choice.setCurrentIndex(0);
  });
  auto* add = new QAction(QStringLiteral("&Add a meter"), this);
  add->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_M);
  connect(add, &QAction::triggered, this, [this] {
    m_choice.setFocus(Qt::ShortcutFocusReason);
    m_choice.showPopup();
  });
  addAction(add);

  m_status.setTextFormat(Qt::PlainText);
  auto* bar = new QHBoxLayout;
  bar->addWidget(&m_choice);
  bar->addWidget(&m_status, 1);
  auto* board = new QVBoxLayout(m_board);
  board->setContentsMargins(0, 0, 0, 0);
  board->addLayout(m_grid);
  board->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(m_board);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addLayout(bar);
  layout->addWidget(scroll, 1);
  for (const Metric metric : kFirstMeters) openMetric(metric);
  setSelection(context.selection);
}

void MeterView::openMetric(Metric metric) {
  for (const MeterPanel* panel : m_panels) {
    if (panel->shownMetric() == metric) return;
  }
  auto* panel = new MeterPanel(metric);
  connect(panel, &MeterPanel::closeWanted, this, [this, panel] { close(panel); });
  m_panels.push_back(panel);
  arrange();
}

void MeterView::close(MeterPanel* panel) {
  m_panels.erase(std::remove(m_panels.begin(), m_panels.end(), panel), m_panels.end());
  m_grid->removeWidget(panel);
  panel->deleteLater();
  arrange();
}

void MeterView::arrange() {
  const int panelWidth = m_panels.empty() ? 1 : m_panels.front()->width() + m_grid->spacing();
  const int columns = std::max(1, (width() - 30) / std::max(1, panelWidth));
  int place = 0;
  for (MeterPanel* panel : m_panels) {
    m_grid->addWidget(panel, place / columns, place % columns, Qt::AlignLeft | Qt::AlignTop);
    ++place;
  }
  // The column behind the last takes what is left; the stretch makes it exist, so count first.
  const int counted = std::max(columns, m_grid->columnCount() - 1);
  for (int column = 0; column <= counted; ++column) m_grid->setColumnStretch(column, column == columns ? 1 : 0);
}

void MeterView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  arrange();
}

void MeterView::setSelection(const Selection& selection) {
  for (MeterPanel* panel : m_panels) panel->restart();
  m_status.setText(whyNoDetail(nullptr, selection));
}

void MeterView::setSnapshot(const SnapshotPointer& snapshot) {
  const ConnectionDetail* detail = selectedDetail(snapshot, context().selection);
  m_status.setText(m_panels.empty() ? QStringLiteral("No meters: add one at the left.")
                                    : whyNoDetail(snapshot, context().selection));
  for (MeterPanel* panel : m_panels) panel->show(detail);
}

void MeterView::saveSettings(QSettings& settings) const {
  QStringList meters;
  for (const MeterPanel* panel : m_panels)
    meters << QStringLiteral("%1:%2").arg(toQString(metricRow(panel->shownMetric()).key)).arg(panel->smoothingIndex());
  settings.setValue("meters/open", meters);
}

void MeterView::restoreSettings(QSettings& settings) {
  if (!settings.contains("meters/open")) return;
  while (!m_panels.empty()) close(m_panels.back());
  for (const QString& meter : settings.value("meters/open").toStringList()) {
    const QStringList parts = meter.split(u':');
    const MetricRow* row = findMetric(parts.value(0).toStdString());
    if (row == nullptr) continue;
    openMetric(row->metric);
    m_panels.back()->setSmoothingIndex(parts.value(1).toInt());
  }
}

}  // namespace tcpscope
