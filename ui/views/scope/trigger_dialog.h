// Asks what the scope waits for: an event, a figure that rises to a level or falls to it, or any connection that begins
// to match a filter; how it goes on then, and what else happens.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include "ui/views/scope/trigger_choice.h"

namespace tcpscope {

/// "RTT rises to 50.0 ms", "Retransmission".
QString describeTrigger(const TriggerCondition& condition);
/// The same, or "A connection begins to match “rtt > 50ms”".
QString describeTrigger(const TriggerChoice& choice);

class TriggerDialog : public QDialog {
  Q_OBJECT
public:
  /// Begins with `choice`. Figures are the `traces` on the screen. A filter is offered where live hosts are shown.
  TriggerDialog(const TriggerChoice& choice, const std::vector<Metric>& traces, bool isLive, QWidget* parent = nullptr);

  /// Nothing while the level cannot be read as one of the figure, or the filter not as one.
  [[nodiscard]] std::optional<TriggerChoice> choice() const;

private:
  [[nodiscard]] std::optional<Metric> chosenMetric() const;
  [[nodiscard]] std::optional<double> level() const;
  [[nodiscard]] bool isOfFilter() const;
  /// Why there is no choice; empty where there is one.
  [[nodiscard]] QString problem() const;
  void showCondition(const TriggerCondition& condition);
  void check();

  /// What the dialog begins with: kept exactly while its text is not edited.
  std::optional<LevelTrigger> m_begunWith;
  QString m_begunText;
  QComboBox m_source;
  QComboBox m_connections;
  QComboBox m_edge;
  QLineEdit m_level;
  QLineEdit m_filter;
  QComboBox m_mode;
  QSpinBox m_preTrigger;
  QDoubleSpinBox m_holdOff;
  QCheckBox m_notifies;
  QCheckBox m_records;
  QCheckBox m_reports;
  QCheckBox m_captures;
  QLabel m_notice;
  QPushButton* m_arm = nullptr;
};

}  // namespace tcpscope
