// The live list of connections with its filter, grouping, pins and columns: where every look at a connection begins.
#pragma once

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>

#include "ui/views/connection_list/connection_table_view.h"
#include "ui/views/connection_list/filter_edit.h"
#include "ui/views/view.h"

namespace tcpscope {

class ConnectionListView : public View {
  Q_OBJECT
public:
  explicit ConnectionListView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  /// One checkable action a column.
  void addColumnActions(QMenu& menu);
  /// The menu of a row: its actions are about this connection, selected or not.
  void fillRowMenu(QMenu& menu, ConnectionId connection);
  void setFilterText(const QString& text);
  [[nodiscard]] QString filterText() const { return m_filter.text(); }
  /// What stands in the place of rows while there is none, and what to do.
  [[nodiscard]] QString whyEmpty() const;
  /// Selects the first connection that `filter` lets through, as soon as there is one; the list itself stays whole.
  void selectFirst(const ConnectionFilter& filter);
  /// Does selectFirst() still wait for its connection?
  [[nodiscard]] bool awaitsFirst() const { return m_snapshotsUntilSelect.has_value(); }
  /// See ConnectionListModel.
  void hideVerdicts(bool hidden) { m_table.hideVerdicts(hidden); }
  /// Gives up what selectFirst() still waits for.
  void selectFirstNoMore();

protected:
  void changeEvent(QEvent* event) override;

signals:
  /// The user asked for the problems that the line below the table is about.
  void problemsRequested();
  /// The user asked for the packets of the selected connection.
  void captureRequested();
  /// The user asked for the packets of the selected connection of a capture in Wireshark.
  void wiresharkRequested(const QString& displayFilter);
  /// The user asked for a file with the packets of this connection of a capture.
  void packetsRequested(tcpscope::ConnectionId connection);

private:
  void buildToolbar(QLayout& layout);
  void buildActions();
  void buildAlert(QLayout& layout);
  void colorAlert();
  void showAlert(const SessionSnapshot& snapshot);
  void sortBy(int column);
  void showSort();
  /// Of a capture the verdict sorts by severity.
  [[nodiscard]] std::optional<SortKey> sortKeyOf(const ConnectionColumnRow& column) const;
  void updateActions();
  /// The one that the menu of a row is about, else the selected one.
  [[nodiscard]] std::optional<ConnectionId> target() const;
  void buildScopeAction();
  void buildWiresharkActions();
  void buildFilterActions();
  /// Nothing while there is no target, or it is gone.
  [[nodiscard]] std::optional<ConnectionRow> targetRow() const;
  /// The order of the rows is each mode's own, too.
  void setMode(ListMode mode);
  void restoreMode(QSettings& settings, ListMode mode, const QString& group);
  /// Of the target; empty where none is, or it is not known yet.
  [[nodiscard]] QString targetDisplayFilter() const;
  void selectFirstIfDue();

  FilterEdit m_filter;
  /// Shown while rows keep their places.
  QLabel m_kept;
  QComboBox m_grouping;
  /// What needs attention; hidden while nothing does.
  QWidget m_alert;
  QLabel m_alertText;
  ConnectionTableView m_table;
  QAction m_pin;
  QAction m_inScope;
  QAction m_capture;
  QAction m_copyFilter;
  QAction m_wireshark;
  QAction m_savePackets;
  QAction m_copySsFilter;
  /// Filters that let the selected connection through.
  QMenu m_offeredFilters;
  QAction m_keepClosed;
  SnapshotPointer m_snapshot;
  std::optional<ConnectionId> m_menuConnection;
  struct ModeSort {
    SortKey key = SortKey::verdict;
    bool isDescending = true;
  };
  /// Of the modes that are not shown: captures begin with the worst connection.
  std::array<ModeSort, kListModes> m_sorts{{{}, {SortKey::worst, true}, {}}};
  /// Snapshots to let pass until the filter of selectFirst() is in force; absent when nothing is to be selected.
  std::optional<int> m_snapshotsUntilSelect;
};

}  // namespace tcpscope
