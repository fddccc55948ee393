// The views in tabs: makes them from the catalogue, gives snapshots only to the one that is seen, opens metrics where
// they were asked for.
#pragma once

#include <QTabWidget>
#include <vector>

#include "ui/window/view_catalogue.h"

namespace tcpscope {

class ViewStack : public QTabWidget {
  Q_OBJECT
public:
  explicit ViewStack(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot);
  /// The selection is another one: every view hears of it.
  void setSelection(const Selection& selection);
  /// Gives every view the means to change the host, and to check it up; both outlive them.
  void offerHost(ChangePort& changes, CheckupPort& checkups);
  /// Gives every view what paths have shown; outlives them.
  void offerPathBook(PathBookPort& port);
  /// Brings the view with this key to the front; false where there is none.
  bool showView(const QString& key);
  [[nodiscard]] QString currentKey() const;
  [[nodiscard]] const std::vector<View*>& views() const { return m_views; }

  void saveSettings(QSettings& settings) const;
  void restoreSettings(QSettings& settings);

private:
  void open(const QString& key, Metric metric);
  void feedCurrent();

  std::vector<View*> m_views;
  SnapshotPointer m_snapshot;
};

}  // namespace tcpscope
