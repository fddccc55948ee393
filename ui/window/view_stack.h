// The views in tabs: makes them from the catalogue, gives snapshots only to the visible one, and opens a metric in the
// view that was asked for.
//
// A window that finds trouble when it starts opens on it, unless its user has chosen a view by then.
#pragma once

#include <QTabWidget>
#include <optional>
#include <vector>

#include "ui/window/view_catalogue.h"

namespace tcpscope {

class ViewStack : public QTabWidget {
  Q_OBJECT
public:
  explicit ViewStack(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot);
  /// The selection changed: every view is notified.
  void setSelection(const Selection& selection);
  /// Another source is shown from now on: every view is notified.
  void forgetSource();
  /// Brings the view with this key to the front; false where there is none.
  bool showView(const QString& key);
  /// Gives the keys to the view in front.
  void focusCurrent();
  /// Begins with this view, or with trouble that is found soon, as a window that starts.
  void startAt(const QString& key);
  /// Previews the first change that is expected to help the selected connection, in the advice.
  void beginFix();
  [[nodiscard]] QString currentKey() const;
  /// Has the user, or the command line, asked for a view since forgetRequest()?
  [[nodiscard]] bool isRequested() const { return m_isRequested; }
  void forgetRequest() { m_isRequested = false; }
  /// The view in front is one of packets.
  [[nodiscard]] bool showsPackets() const;
  [[nodiscard]] const std::vector<View*>& views() const { return m_views; }

  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);

private:
  void open(const QString& key, Metric metric);
  /// Shows packets, and remembers which view asked for them.
  void openPackets(const PacketTarget& target);
  void feedCurrent();
  /// Hidden views that need every snapshot.
  void feedOthers();
  [[nodiscard]] static std::optional<int> indexOf(const QString& key);
  void showProblems();
  /// As the window does without being asked.
  void switchTo(const QString& key);

  std::vector<View*> m_views;
  SnapshotPointer m_snapshot;
  std::optional<Moment> m_startedAt;
  bool m_isChosen = false;
  bool m_isRequested = false;
  bool m_isSwitching = false;
  /// Of the view that the user chose last, which the settings keep; empty until then.
  QString m_ownKey;
  /// Key of the view that asked for packets last.
  QString m_askedFrom;
};

}  // namespace tcpscope
