// The table of connections: keeps the current row on its connection while rows move, and says why it is empty.
#pragma once

#include <QTableView>
#include <QTimer>
#include <array>
#include <vector>

#include "ui/models/connection_list_model.h"
#include "ui/views/connection_list/list_mode.h"

namespace tcpscope {

class ConnectionTableView : public QTableView {
  Q_OBJECT
public:
  explicit ConnectionTableView(QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot);
  /// Each mode has its own columns, widths and order: captures show both ends, when and how much in place of process
  /// and trend.
  void setMode(ListMode mode);
  [[nodiscard]] ListMode mode() const { return m_mode; }
  /// Makes the row of this connection current without a signal; none where it is not in the list.
  void showCurrent(std::optional<ConnectionId> connection);
  /// Shown in the middle while there are no rows.
  void setEmptyMessage(const QString& message);
  [[nodiscard]] const ConnectionListModel& connections() const { return m_model; }
  /// See ConnectionListModel.
  void hideVerdicts(bool hidden) { m_model.hideVerdicts(hidden); }
  /// The user's choice: such a column is no longer hidden when space is short. The last column stays: a table without
  /// columns could not be brought back by its header.
  void setColumnWanted(int column, bool wanted);
  /// Order, widths and the user's choices of a mode, for the settings; columns hidden for lack of space count as shown.
  [[nodiscard]] QByteArray saveColumns(ListMode mode) const;
  /// What is not such a state changes nothing.
  void restoreColumns(ListMode mode, const QByteArray& state);

signals:
  /// The user moved to another connection.
  void connectionChosen(const std::optional<tcpscope::ConnectionId>& connection);
  /// The pointer is over the rows, or keys move in them; or no longer.
  void used(bool isUsed);
  /// Over this connection, which need not be the current one: a menu over another row does not select it.
  void menuRequested(const tcpscope::ConnectionId& connection, const QPoint& global);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;

private:
  void applyFirstWidths();
  void hideUnusual(ListMode mode);
  [[nodiscard]] QByteArray columnState() const;
  bool applyColumnState(const QByteArray& state);
  /// In a narrow window some columns give way to the verdict.
  void makeRoom();
  void makeRoomFor(std::size_t places);
  void showAllThatGaveWay();
  void noteUse();

  ConnectionListModel m_model;
  std::optional<ConnectionId> m_current;
  /// By place, before any user moved them.
  std::vector<int> m_firstOrder;
  QList<int> m_gaveWay;
  QList<int> m_chosenByUser;
  QString m_emptyMessage;
  int m_lastRow = 0;
  bool m_quiet = false;
  /// The current row was selected for the user, who has not used the list since.
  bool m_followsCurrent = false;
  bool m_isPointedAt = false;
  bool m_isUsed = false;
  /// Runs while a key was pressed a moment ago.
  QTimer m_keyed;
  bool m_hasSeveralPlaces = false;
  ListMode m_mode = ListMode::live;
  /// Of the modes that are not shown.
  std::array<QByteArray, kListModes> m_states;
};

}  // namespace tcpscope
