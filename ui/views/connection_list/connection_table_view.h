// The table of connections: keeps the current row on its connection while rows move, and says why it is empty.
#pragma once

#include <QTableView>

#include "ui/models/connection_list_model.h"

namespace tcpscope {

class ConnectionTableView : public QTableView {
  Q_OBJECT
public:
  explicit ConnectionTableView(QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot);
  /// Of captures the list shows when and how much in place of process and trend.
  void setOfCapture(bool isOfCapture);
  /// Makes the row of this connection current without a signal; none where it is not in the list.
  void showCurrent(std::optional<ConnectionId> connection);
  /// Shown in the middle while there are no rows.
  void setEmptyMessage(const QString& message);
  [[nodiscard]] const ConnectionListModel& connections() const { return m_model; }
  /// The user's choice: such a column is no longer hidden when space is short. The last column stays: a table without
  /// columns could not be brought back by its header.
  void setColumnWanted(int column, bool wanted);
  /// Order, widths and the user's choices, for the settings; columns hidden for lack of space count as shown.
  [[nodiscard]] QByteArray saveColumns() const;
  void restoreColumns(const QByteArray& state);

signals:
  /// The user moved to another connection.
  void connectionChosen(const std::optional<tcpscope::ConnectionId>& connection);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
  void applyFirstWidths();
  /// In a narrow window some columns give way to the verdict.
  void makeRoom();
  void makeRoomFor(std::size_t places);
  void showAllThatGaveWay();

  ConnectionListModel m_model;
  std::optional<ConnectionId> m_current;
  QList<int> m_gaveWay;
  QList<int> m_chosenByUser;
  QString m_emptyMessage;
  int m_lastRow = 0;
  bool m_quiet = false;
  bool m_hasSeveralPlaces = false;
  bool m_isOfCapture = false;
  /// Hidden for the time of a capture.
  QList<int> m_awayForCapture;
};

}  // namespace tcpscope
