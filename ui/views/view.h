// The interface of every view: a widget that receives snapshots and the selection, and acts through its ViewContext.
//
// The window calls setSnapshot() only while the view is visible, and once with the newest when it becomes visible, so
// that a hidden view costs nothing. A view's own actions (addAction) become its menu, its settings are kept with the
// window's.
#pragma once

#include <QWidget>

#include "core/model/metric.h"
#include "ui/feed/snapshot_feed.h"
#include "ui/views/packet_target.h"
#include "ui/views/view_context.h"

class QSettings;

namespace tcpscope {

class View : public QWidget {
  Q_OBJECT
public:
  explicit View(const ViewContext& context, QWidget* parent = nullptr) : QWidget(parent), m_context(context) {}

  /// Never null.
  virtual void setSnapshot(const SnapshotPointer& snapshot) = 0;
  /// The selected connection or the span changed; the newest snapshot follows.
  virtual void setSelection(const Selection& selection) = 0;
  /// A demo, a file or this host is shown from now on in place of another: its moments are of another clock.
  virtual void forgetSource() {}
  /// Shows these packets. Views without packets ignore it.
  virtual void openPackets(const PacketTarget&) {}
  /// While a change is measured, or will be undone, or a trigger waits, its view needs the snapshots even where it is
  /// not in front.
  [[nodiscard]] virtual bool needsEverySnapshot() const { return false; }
  /// Previews the first change that is expected to help. Only the advice does.
  virtual void beginFix() {}
  /// Shows this metric: as a trace in the scope, as a numeric meter. Other views ignore it.
  virtual void openMetric(Metric) {}
  virtual void saveSettings(QSettings&) const {}
  virtual void restoreSettings(QSettings&) {}

signals:
  void traceRequested(tcpscope::Metric metric);
  void meterRequested(tcpscope::Metric metric);
  /// Show these packets in the packet graphs.
  void packetsRequested(const tcpscope::PacketTarget& target);
  /// Back to the view that asked for the packets.
  void backRequested();
  /// Bring another view to the front, by its key.
  void viewRequested(const QString& key);

protected:
  [[nodiscard]] const ViewContext& context() const { return m_context; }

private:
  ViewContext m_context;
};

/// The detail of the selected connection in this snapshot; null while there is none.
inline std::shared_ptr<const ConnectionDetail> sharedDetail(const SnapshotPointer& snapshot,
                                                            const Selection& selection) {
  if (snapshot == nullptr || !selection.connection()) return nullptr;
  const auto found = snapshot->details.find(*selection.connection());
  return found == snapshot->details.end() ? nullptr : found->second;
}
/// The same, valid as long as the snapshot is held.
inline const ConnectionDetail* selectedDetail(const SnapshotPointer& snapshot, const Selection& selection) {
  return sharedDetail(snapshot, selection).get();
}

/// The source of the file that is shown instead of live hosts; null while live hosts are shown.
const Place* shownFile(const SessionSnapshot& snapshot);

/// Is this a live host, which can be sampled, captured and probed?
bool isLivePlace(const SessionSnapshot& snapshot, PlaceId place);

/// Why a view of a connection's packets has nothing to show, and what to do; empty where there are packets.
QString whyNoPackets(const SnapshotPointer& snapshot, const Selection& selection);

/// Why a view of one connection has nothing to show yet, in words; empty where there is a detail.
QString whyNoDetail(const SnapshotPointer& snapshot, const Selection& selection);

}  // namespace tcpscope
