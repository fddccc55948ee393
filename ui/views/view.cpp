#include "ui/views/view.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// As a host does that is disconnected.
bool hasLeft(const SessionSnapshot& snapshot, PlaceId place) {
  return std::none_of(snapshot.places.begin(), snapshot.places.end(),
                      [place](const Place& one) { return one.id == place; });
}

}  // namespace

QString whyNoDetail(const SnapshotPointer& snapshot, const Selection& selection) {
  if (selectedDetail(snapshot, selection) != nullptr) return {};
  const auto& connection = selection.connection();
  if (!connection || (snapshot != nullptr && hasLeft(*snapshot, connection->place)))
    return QStringLiteral("Select a connection in the list.");
  if (snapshot != nullptr && !isLivePlace(*snapshot, connection->place) && snapshot->find(*connection) == nullptr)
    return QStringLiteral("The recording does not contain this connection at this time.");
  return QStringLiteral("Waiting for the first sample of this connection…");
}

const Place* shownFile(const SessionSnapshot& snapshot) {
  const bool isOfFile = !snapshot.places.empty() && !snapshot.places.front().recording.empty();
  return isOfFile ? &snapshot.places.front() : nullptr;
}

bool isLivePlace(const SessionSnapshot& snapshot, PlaceId place) {
  return std::none_of(snapshot.places.begin(), snapshot.places.end(),
                      [place](const Place& one) { return one.id == place && !one.recording.empty(); });
}

QString whyNoPackets(const SnapshotPointer& snapshot, const Selection& selection) {
  if (snapshot == nullptr) return QStringLiteral("Waiting for the first samples");
  const ConnectionDetail* detail = selectedDetail(snapshot, selection);
  if (detail == nullptr) return whyNoDetail(snapshot, selection);
  if (detail->packets != nullptr) return {};
  const ConnectionId id = *selection.connection();
  if (snapshot->capture && snapshot->capture->connection == id && snapshot->capture->phase != LiveCapturePhase::failed)
    return QStringLiteral("No packets of this connection captured yet.");
  if (!isLivePlace(*snapshot, id.place))
    return QStringLiteral(
        "The recording contains no packets of this connection. Open a capture (Ctrl+O, or drop the file on the "
        "window).");
  return QStringLiteral(
      "The packets of this connection are not captured. Capture them (Ctrl+Shift+C), or open a capture (Ctrl+O, or "
      "drop the file on the window).");
}

}  // namespace tcpscope
