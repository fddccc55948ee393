#include "ui/views/view.h"

#include <QCoreApplication>

namespace tcpscope {

QString whyNoDetail(const SnapshotPointer& snapshot, const Selection& selection) {
  if (selectedDetail(snapshot, selection) != nullptr) return {};
  if (!selection.connection()) return QCoreApplication::translate("View", "Select a connection in the list.");
  return QCoreApplication::translate("View", "Waiting for the first sample of this connection…");
}

}  // namespace tcpscope
