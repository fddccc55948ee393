#include "ui/views/problems/problems_view.h"

#include <QVBoxLayout>

#include "ui/widgets/row_table.h"

namespace tcpscope {

ProblemsView::ProblemsView(const ViewContext& context, QWidget* parent) : View(context, parent) {
  m_table.setModel(&m_model);
  setUpRowTable(m_table, QStringLiteral("Problems"));
  const int letter = m_table.fontMetrics().averageCharWidth();
  m_table.setColumnWidth(static_cast<int>(ProblemColumn::subject), letter * 26);
  m_table.setColumnWidth(static_cast<int>(ProblemColumn::process), letter * 20);
  m_table.setColumnWidth(static_cast<int>(ProblemColumn::problem), letter * 64);
  connect(&m_table, &QTableView::activated, this, &ProblemsView::selectConnectionOf);
  connect(&m_table, &QTableView::clicked, this, &ProblemsView::selectConnectionOf);
  m_status.setTextFormat(Qt::PlainText);
  m_status.setWordWrap(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->setSpacing(4);
  layout->addWidget(&m_status);
  layout->addWidget(&m_table, 1);
  m_status.setText(QStringLiteral("Waiting for the first sample…"));
}

void ProblemsView::setSnapshot(const SnapshotPointer& snapshot) {
  m_model.setSnapshot(snapshot);
  if (!snapshot->problems) {
    m_status.setText(QStringLiteral("Problems are listed for live hosts and recordings."));
    return;
  }
  const int count = m_model.rowCount();
  m_status.setText(count == 0
                       ? QStringLiteral("No problems: every connection attempt is answered, no connection is stalled, "
                                        "held up by small writes or left open, and no accept queue is full.")
                       : QStringLiteral("Problems, worst first: %1. A click selects the connection; its evidence is in "
                                        "Diagnosis.")
                             .arg(count));
}

void ProblemsView::selectConnectionOf(const QModelIndex& index) {
  const Problem* problem = m_model.problemAt(index.row());
  if (problem == nullptr || problem->connections.empty()) return;
  context().selection.setConnection(problem->connections.front());
}

}  // namespace tcpscope
