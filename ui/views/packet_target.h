// Which packets of the selected connection a view asks the packet graphs to show: those of a finding, of an event, of
// an interval between losses.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "ui/plots/graph_items.h"

namespace tcpscope {

struct PacketTarget {
  /// What they are, as a heading: "Finding: retransmission timeouts".
  QString what;
  /// Whose data: sent or received by the local end, of a capture by the initiator; absent for the direction on show.
  std::optional<Side> side;
  /// The same as the direction of the capture's analysis, 0 or 1; before `side`.
  std::optional<std::size_t> direction;
  /// Kinds of packets; empty for any.
  std::vector<GraphItem> items;
  /// The packet nearest to this moment is selected; absent for the first.
  std::optional<Moment> time;
  /// Where not empty: the segments sent at these moments instead of kinds, in order of time.
  std::vector<Moment> sentAt;
};

}  // namespace tcpscope
