// A menu with a search field over every metric of the catalogue, for adding a trace.
#pragma once

#include <QMenu>

#include "core/model/metric.h"

class QLineEdit;
class QListWidget;

namespace tcpscope {

class MetricChooser : public QMenu {
  Q_OBJECT
public:
  explicit MetricChooser(QWidget* parent = nullptr);

signals:
  void chosen(tcpscope::Metric metric);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void search(const QString& words);
  void chooseCurrent();

  QLineEdit* m_search;
  QListWidget* m_metrics;
};

}  // namespace tcpscope
