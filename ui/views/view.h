// What every view is: a widget that is shown snapshots and the selection, and that says what it wants through both.
//
// The window calls setSnapshot() only while the view can be seen, and once with the newest when it comes into sight, so
// that a hidden view costs nothing. A view's own actions (addAction) become its menu, its settings are kept with the
// window's.
#pragma once

#include <QWidget>

#include "core/model/metric.h"
#include "ui/feed/control_state.h"
#include "ui/feed/selection.h"
#include "ui/feed/snapshot_feed.h"

class QSettings;

namespace tcpscope {

class ChangePort;
class CheckupPort;
class PathBookPort;

/// What a view may look at and change; all of it outlives the view.
struct ViewContext {
  Selection& selection;
  ControlState& control;
};

class View : public QWidget {
  Q_OBJECT
public:
  explicit View(const ViewContext& context, QWidget* parent = nullptr) : QWidget(parent), m_context(context) {}

  /// Never null.
  virtual void setSnapshot(const SnapshotPointer& snapshot) = 0;
  /// The selected connection or the span changed; the newest snapshot follows.
  virtual void setSelection(const Selection& selection) = 0;
  /// Somebody wants to see this metric here: a trace in the scope, a numeric meter. Others ignore it.
  virtual void openMetric(Metric) {}
  /// From now on the host can be changed by this port, which outlives the view. Others ignore it.
  virtual void offerChanges(ChangePort&) {}
  /// The same for the check-up of this host.
  virtual void offerCheckups(CheckupPort&) {}
  /// The same for what paths have shown.
  virtual void offerPathBook(PathBookPort&) {}
  virtual void saveSettings(QSettings&) const {}
  virtual void restoreSettings(QSettings&) {}

signals:
  void traceWanted(tcpscope::Metric metric);
  void meterWanted(tcpscope::Metric metric);

protected:
  [[nodiscard]] const ViewContext& context() const { return m_context; }

private:
  ViewContext m_context;
};

/// The full picture of the selected connection in this snapshot; null while there is none.
inline std::shared_ptr<const ConnectionDetail> sharedDetail(const SnapshotPointer& snapshot,
                                                            const Selection& selection) {
  if (snapshot == nullptr || !selection.connection()) return nullptr;
  const auto found = snapshot->details.find(*selection.connection());
  return found == snapshot->details.end() ? nullptr : found->second;
}
/// The same for as long as the snapshot is held.
inline const ConnectionDetail* selectedDetail(const SnapshotPointer& snapshot, const Selection& selection) {
  return sharedDetail(snapshot, selection).get();
}

/// The place of the file that is shown instead of live ones; null where none is.
const Place* shownFile(const SessionSnapshot& snapshot);

/// Do connections of this place live, so that more can be learned of them?
bool isLivePlace(const SessionSnapshot& snapshot, PlaceId place);

/// Why a view of a connection's packets has nothing to show, and what to do; empty where there are packets.
QString whyNoPackets(const SnapshotPointer& snapshot, const Selection& selection);

/// Why a view of one connection has nothing to show yet, in words; empty where there is a detail.
QString whyNoDetail(const SnapshotPointer& snapshot, const Selection& selection);

}  // namespace tcpscope
