// Every variable of the selected connection as a table with a filter and an explanation; each row opens as a trace in
// the scope or as a numeric meter.
#pragma once

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "ui/models/variables_model.h"
#include "ui/views/view.h"

namespace tcpscope {

class AllVariablesView : public View {
  Q_OBJECT
public:
  explicit AllVariablesView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

private:
  void buildTable();
  void buildActions();
  [[nodiscard]] std::optional<Metric> currentMetric() const;
  void explain();

  VariablesModel m_model;
  /// A hundred rows that keep their order: filtering them here costs nothing.
  QSortFilterProxyModel m_filtered;
  QTableView m_table;
  QLineEdit m_filter;
  QLabel m_status;
  QLabel m_explanation;
  QAction m_openTrace;
  QAction m_openMeter;
};

}  // namespace tcpscope
