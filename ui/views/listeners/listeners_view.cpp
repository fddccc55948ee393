#include "ui/views/listeners/listeners_view.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "ui/widgets/row_table.h"

namespace tcpscope {

ListenersView::ListenersView(const ViewContext& context, QWidget* parent) : View(context, parent) {
  m_table.setModel(&m_model);
  setUpRowTable(m_table, QStringLiteral("Listeners"));
  // A finding is two lines long; there are seldom more than some tens of listeners to measure.
  m_table.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  const int letter = m_table.fontMetrics().averageCharWidth();
  m_table.setColumnWidth(static_cast<int>(ListenerColumn::process), letter * 24);
  m_table.setColumnWidth(static_cast<int>(ListenerColumn::local), letter * 24);
  m_table.setColumnWidth(static_cast<int>(ListenerColumn::waiting), letter * 16);
  m_table.setColumnWidth(static_cast<int>(ListenerColumn::allowed), letter * 10);
  m_status.setTextFormat(Qt::PlainText);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->setSpacing(4);
  layout->addWidget(&m_status);
  layout->addWidget(&m_table, 1);
  m_status.setText(QStringLiteral("Waiting for the first sample…"));
}

void ListenersView::setSnapshot(const SnapshotPointer& snapshot) {
  m_model.setSnapshot(snapshot);
  m_status.setText(snapshot->listeners.empty()
                       ? QStringLiteral("There are no listening sockets.")
                       : QStringLiteral("Listening sockets: %1").arg(snapshot->listeners.size()));
}

}  // namespace tcpscope
