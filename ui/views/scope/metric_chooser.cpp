#include "ui/views/scope/metric_chooser.h"

#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "core/model/metric_catalogue.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

MetricChooser::MetricChooser(QWidget* parent) : QMenu(parent), m_search(new QLineEdit), m_metrics(new QListWidget) {
  auto* panel = new QWidget;
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(m_search);
  layout->addWidget(m_metrics);
  panel->setMinimumSize(340, 320);
  m_search->setPlaceholderText(QStringLiteral("Search by name or key"));
  m_search->setClearButtonEnabled(true);
  m_search->setAccessibleName(QStringLiteral("Search metrics"));
  m_metrics->setAccessibleName(QStringLiteral("Metrics"));
  for (const MetricRow& row : metricCatalogue()) offer(row.metric);
  for (const PacketTraceRow& row : packetTraces()) offer(row.trace);
  auto* action = new QWidgetAction(this);
  action->setDefaultWidget(panel);
  addAction(action);
  connect(m_search, &QLineEdit::textChanged, this, &MetricChooser::search);
  connect(m_search, &QLineEdit::returnPressed, this, &MetricChooser::chooseCurrent);
  connect(m_metrics, &QListWidget::itemActivated, this, &MetricChooser::chooseCurrent);
  connect(m_metrics, &QListWidget::itemClicked, this, &MetricChooser::chooseCurrent);
}

void MetricChooser::offer(const TraceSource& source) {
  const QString key = toQString(source.key());
  auto* item = new QListWidgetItem(source.title() + QStringLiteral("   ") + key, m_metrics);
  item->setData(Qt::UserRole, key);
  item->setToolTip(toolTipText(source.explanation()));
}

void MetricChooser::showEvent(QShowEvent* event) {
  QMenu::showEvent(event);
  m_search->clear();
  m_search->setFocus();
}

void MetricChooser::search(const QString& words) {
  const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QListWidgetItem* first = nullptr;
  for (int index = 0; index < m_metrics->count(); ++index) {
    QListWidgetItem* item = m_metrics->item(index);
    bool matches = true;
    for (const QString& word : wanted) matches = matches && item->text().contains(word, Qt::CaseInsensitive);
    item->setHidden(!matches);
    if (matches && first == nullptr) first = item;
  }
  m_metrics->setCurrentItem(first);
}

void MetricChooser::chooseCurrent() {
  const QListWidgetItem* item = m_metrics->currentItem();
  if (item == nullptr || item->isHidden()) return;
  const auto source = findTraceSource(item->data(Qt::UserRole).toString().toStdString());
  close();
  if (source) emit chosen(*source);
}

}  // namespace tcpscope
