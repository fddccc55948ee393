// Asks what the scope waits for: an event, or a figure that rises to a level or falls to it; how it goes on
// then, and what else happens.
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

class TriggerDialog : public QDialog {
  Q_OBJECT
public:
  /// Begins with `choice`. Figures are the `traces` on the screen.
  TriggerDialog(const TriggerChoice& choice, const std::vector<Metric>& traces, QWidget* parent = nullptr);

  /// Nothing while the level cannot be read as one of the figure.
  [[nodiscard]] std::optional<TriggerChoice> choice() const;

private:
  [[nodiscard]] std::optional<Metric> chosenMetric() const;
  [[nodiscard]] std::optional<double> level() const;
  void showCondition(const TriggerCondition& condition);
  void check();

  /// What the dialog begins with: kept exactly while its text is not edited.
  std::optional<LevelTrigger> m_begunWith;
  QString m_begunText;
  QComboBox m_source;
  QComboBox m_connections;
  QComboBox m_edge;
  QLineEdit m_level;
  QComboBox m_mode;
  QSpinBox m_preTrigger;
  QDoubleSpinBox m_holdOff;
  QCheckBox m_notifies;
  QCheckBox m_records;
  QCheckBox m_reports;
  QLabel m_notice;
  QPushButton* m_arm = nullptr;
};

}  // namespace tcpscope
