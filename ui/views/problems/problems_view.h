// What needs attention at all places, worst first; activating a problem selects its first connection, or shows the
// listeners.
#pragma once

#include <QLabel>
#include <QTableView>

#include "ui/models/problem_model.h"
#include "ui/views/view.h"

namespace tcpscope {

class ProblemsView : public View {
  Q_OBJECT
public:
  explicit ProblemsView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection&) override {}

private:
  void showSubjectOf(const QModelIndex& index);

  [[nodiscard]] QString noProblems() const;
  [[nodiscard]] QString problemCount() const;

  ProblemModel m_model;
  QTableView m_table;
  QLabel m_status;
};

}  // namespace tcpscope
