// The connections on the scope: the selected one and the further ones, each with a name and a style of its own.
#pragma once

#include <QString>
#include <map>
#include <vector>

#include "ui/feed/selection.h"
#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

struct ShownConnection {
  ConnectionId id;
  /// Never null.
  std::shared_ptr<const ConnectionDetail> detail;
  /// By process where these differ, else by address.
  QString name;
  /// Number of the pair of colour and line style of its traces where connections lie over each other.
  int style = 0;
  bool isSelected = false;
};

class ShownConnections {
public:
  /// The selected connection and the further ones of which the snapshot has the detail. Those that stay keep their
  /// order and styles.
  void update(const SnapshotPointer& snapshot, const Selection& selection);
  [[nodiscard]] const std::vector<ShownConnection>& all() const { return m_all; }
  [[nodiscard]] bool areSeveral() const { return m_all.size() > 1; }
  [[nodiscard]] std::optional<std::size_t> indexOf(ConnectionId id) const;
  /// Where the selected one stands; nothing without it.
  [[nodiscard]] std::optional<std::size_t> selected() const;

private:
  [[nodiscard]] int styleOf(ConnectionId id);

  std::vector<ShownConnection> m_all;
  std::map<ConnectionId, int> m_styles;
};

/// "curl (4711), 192.0.2.1:40112 → 198.51.100.2:443": a connection among many. With the name of its place where there
/// are several.
QString connectionTitle(const SessionSnapshot& snapshot, const ConnectionFacts& facts);

}  // namespace tcpscope
