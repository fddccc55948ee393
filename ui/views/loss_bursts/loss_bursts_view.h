// How the losses of the selected connection cluster: the times between them against chance, in a plot, a table and
// sentences, and what dropped them.
//
// From what a capture holds of the connection, or, without one, from the retransmissions that the kernel reported one
// by one while it was in view. Both show the sender's own bursts too, and that is said. Figures that others published
// are about drop logs and do not stand here. Packets that the host dropped, and which retransmissions they explain, are
// lines below.
#pragma once

#include "core/session/capture/captured_packets.h"
#include "ui/plots/interval_plot.h"
#include "ui/views/view.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QTableWidget;

namespace tcpscope {

class LossBurstsView : public View {
  Q_OBJECT
public:
  explicit LossBurstsView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  /// The sentences beside the plot.
  [[nodiscard]] QString description() const;
  /// The drops and retransmissions, a line each, the newest first.
  [[nodiscard]] QString eventLines() const;
  /// What the selected bar of the plot holds; empty without one.
  [[nodiscard]] QString selectionText() const;

private:
  void buildTable();
  void refresh();
  void refreshLines();
  void buildPacketActions();
  void selectBin(std::optional<std::size_t> bin);
  /// Of the losses at both ends of the intervals in the selected bar.
  void showPackets();
  /// Numbers of the intervals in the selected bar.
  [[nodiscard]] std::vector<std::size_t> selectedIntervals() const;
  void fillTable(const LossSummary& loss);
  [[nodiscard]] QString whyNothing() const;
  [[nodiscard]] const LossSummary* loss() const;

  SnapshotPointer m_snapshot;
  std::shared_ptr<const CapturedPackets> m_packets;
  /// Of a live connection; null where the kernel does not report it.
  std::shared_ptr<const LossSummary> m_reported;
  std::shared_ptr<const ConnectionDetail> m_detail;
  std::size_t m_direction = 0;
  QComboBox* m_directions;
  /// All intervals over decades of RTTs; unchecked, the density of the short ones.
  QAction* m_decades;
  IntervalPlot* m_plot;
  QTableWidget* m_table;
  QLabel* m_sentences;
  QLabel* m_selection;
  QPlainTextEdit* m_lines;
};

/// A direction's losses in sentences, one a line.
QString lossSentences(const LossSummary& loss, std::uint64_t packets);

}  // namespace tcpscope
