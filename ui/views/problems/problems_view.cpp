#include "ui/views/problems/problems_view.h"

#include <QVBoxLayout>

#include "ui/widgets/row_table.h"

namespace tcpscope {

ProblemsView::ProblemsView(const ViewContext& context, QWidget* parent) : View(context, parent) {
  m_table.setModel(&m_model);
  setUpRowTable(m_table, QStringLiteral("Problems"));
  const int letter = m_table.fontMetrics().averageCharWidth();
  m_table.setColumnWidth(static_cast<int>(ProblemColumn::severity), letter * 11);
  m_table.setColumnWidth(static_cast<int>(ProblemColumn::subject), letter * 26);
  m_table.setColumnWidth(static_cast<int>(ProblemColumn::process), letter * 20);
  m_table.setColumnWidth(static_cast<int>(ProblemColumn::problem), letter * 64);
  connect(&m_table, &QTableView::activated, this, &ProblemsView::showSubjectOf);
  connect(&m_table, &QTableView::clicked, this, &ProblemsView::showSubjectOf);
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
  m_status.setText(m_model.rowCount() == 0 ? noProblems() : problemCount());
}

QString ProblemsView::noProblems() const {
  const QString none = QStringLiteral(
      "No problems: every connection attempt is answered, no connection is stalled, held up by small writes or left "
      "open, and no accept queue is full.");
  const bool isFiltered = context().control.value().filter.root() != nullptr;
  return isFiltered ? none + QStringLiteral(" The filter hides what does not match it.") : none;
}

QString ProblemsView::problemCount() const {
  return QStringLiteral(
             "Problems, worst first: %1. A click selects the connection, whose evidence is in Diagnosis, or "
             "opens Listeners.")
      .arg(m_model.rowCount());
}

void ProblemsView::showSubjectOf(const QModelIndex& index) {
  const Problem* problem = m_model.problemAt(index.row());
  if (problem == nullptr) return;
  if (problem->kind == ProblemKind::acceptQueueOverflow) emit viewRequested(QStringLiteral("listeners"));
  if (problem->connections.empty()) return;
  context().selection.setConnection(problem->connections.front());
}

}  // namespace tcpscope
