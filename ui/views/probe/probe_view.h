// A path measured with packets of its own, from this host to a listener: what will be sent, how far it is, and whether
// losses come in bursts.
//
// Asks its port twice a second while it can be seen. It is about no connection, and sends nothing before its button is
// pressed.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include "ui/feed/probe_port.h"
#include "ui/views/view.h"

class QAction;
class QTableWidget;
class QToolButton;

namespace tcpscope {

class IntervalPlot;

class ProbeView : public View {
  Q_OBJECT
public:
  explicit ProbeView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer&) override {}
  void setSelection(const Selection&) override {}
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  /// Asks the port now, and shows how far it is.
  void poll();
  /// What the button sends.
  [[nodiscard]] QString planned() const { return m_planned.text(); }
  [[nodiscard]] QString headline() const { return m_headline.text(); }
  /// The sentences beside the plot.
  [[nodiscard]] QString description() const { return m_sentences.text(); }

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  [[nodiscard]] ProbePort* port() const { return context().ports.probes; }
  [[nodiscard]] ProbeRequest request() const;
  void buildForm();
  void buildTable();
  void buildLayout();
  void start();
  void showPlanned();
  void showProgress(const ProbeState& state);
  void showHeadline(const ProbeState& state);
  void showAnalysis();

  QTimer m_timer;
  QLineEdit m_target;
  QSpinBox m_rate;
  QSpinBox m_time;
  QPushButton m_start;
  QPushButton m_cancel;
  QLabel m_planned;
  QProgressBar m_progress;
  QLabel m_headline;
  IntervalPlot* m_plot;
  QTableWidget* m_table;
  QLabel m_sentences;
  QToolButton* m_decadesButton;
  /// All intervals over decades of RTTs; unchecked, the density of the short ones.
  QAction* m_decades;
  std::shared_ptr<const ProbeAnalysis> m_analysis;
  bool m_isRunning = false;
};

}  // namespace tcpscope
