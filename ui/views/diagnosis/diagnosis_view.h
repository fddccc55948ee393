// What holds the selected connection back, right now and over time: verdict, evidence, shares, bounds, findings.
//
// Each direction is judged on its own. The one that carries the bulk is shown first; of the other the view says what
// can be known, never the other's cause.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"
#include "ui/plots/trace_record.h"
#include "ui/views/diagnosis/span_choice.h"
#include "ui/views/view.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QTableView;

namespace tcpscope {

class BoundTableModel;
class CalculatorPanel;
class LimitPie;
class LimitStrip;
class RatePlot;
class SteadyList;

class DiagnosisView : public View {
  Q_OBJECT
public:
  explicit DiagnosisView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  /// The side on show.
  [[nodiscard]] Side side() const { return m_side; }
  [[nodiscard]] QString verdictText() const;
  [[nodiscard]] CalculatorPanel& calculator() { return *m_calculator; }

protected:
  void changeEvent(QEvent* event) override;

private:
  [[nodiscard]] QWidget* buildHead();
  [[nodiscard]] QWidget* buildMiddle();
  void fitPie();
  [[nodiscard]] QWidget* buildFoot();
  void refresh();
  /// Of what is shown: live hosts, or a file.
  [[nodiscard]] int& chosenSpanIndex();
  void showNothing(const QString& why);
  void showVerdict(const SideDiagnosis* side, const ConnectionDetail& detail);
  void showShares(const SideDiagnosis* side, const ConnectionDetail& detail);
  void showRate(const SideDiagnosis* side, const ConnectionDetail& detail);
  void showFindings(const SideDiagnosis* side);
  /// Its figures, for the calculator.
  void showCalculator(const ConnectionDetail& detail);
  /// Of the finding in this row of the list.
  void showPackets(int row);

  SnapshotPointer m_snapshot;
  std::optional<ConnectionId> m_connection;
  Side m_side = Side::sending;
  /// Until the user chooses a side, the one that carries the bulk is shown.
  bool m_sideChosen = false;
  /// Indexes of SpanChoice. What a file holds is over: there, the last seconds say little.
  int m_spanOfLive = static_cast<int>(SpanChoice::lastFiveSeconds);
  int m_spanOfFiles = static_cast<int>(SpanChoice::transfer);
  /// Of the goodput that is drawn.
  TraceRecord m_record;
  /// Row by row of the list.
  std::vector<RuleId> m_shownFindings;
  /// Whose figures the calculator began with.
  std::optional<ConnectionId> m_calculated;
  Side m_calculatedSide = Side::sending;

  QButtonGroup* m_sides;
  QComboBox* m_span;
  QLabel* m_verdict;
  QLabel* m_confidence;
  /// The pie, and the evidence beside it.
  QWidget* m_middle = nullptr;
  LimitPie* m_pie;
  SteadyList* m_evidence;
  LimitStrip* m_strip;
  RatePlot* m_rate;
  QTableView* m_boundTable;
  BoundTableModel* m_bounds;
  SteadyList* m_findings;
  CalculatorPanel* m_calculator;
};

}  // namespace tcpscope
