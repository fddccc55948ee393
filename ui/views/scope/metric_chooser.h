// A menu with a search field over every metric of the catalogue, and what packets say, for adding a trace.
#pragma once

#include <QMenu>

#include "ui/plots/trace_source.h"

class QLineEdit;
class QListWidget;

namespace tcpscope {

class MetricChooser : public QMenu {
  Q_OBJECT
public:
  explicit MetricChooser(QWidget* parent = nullptr);

signals:
  void chosen(const tcpscope::TraceSource& source);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void search(const QString& words);
  void chooseCurrent();
  void offer(const TraceSource& source);

  QLineEdit* m_search;
  QListWidget* m_metrics;
};

}  // namespace tcpscope
