// The events of the selected connection as a table, the newest first: retransmissions, RTOs, zero windows, drops of the
// congestion window, packets that the host dropped, state and setting changes. The same events are the marks in the
// scope.
#pragma once

#include <QLabel>
#include <QTableView>

#include "ui/views/view.h"

namespace tcpscope {

class EventTableModel;

class EventsView : public View {
  Q_OBJECT
public:
  explicit EventsView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;

  /// How often each kind happened, or why there are no events.
  [[nodiscard]] QString summary() const { return m_summary.text(); }

protected:
  void changeEvent(QEvent* event) override;

private:
  void refresh();
  /// Of the event in this row.
  void showPackets(int row);

  SnapshotPointer m_snapshot;
  EventTableModel* m_model;
  QTableView m_table;
  QLabel m_summary;
};

}  // namespace tcpscope
