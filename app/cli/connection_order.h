// The order of captured connections for people and scripts: the worst first, the fastest first …
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/session/capture_files.h"
#include "core/session/capture/connection_analysis.h"

namespace tcpscope {

/// One connection of one of the captures.
struct CapturedPick {
  const AnalysedCapture* capture = nullptr;
  std::size_t index = 0;

  [[nodiscard]] ConnectionAnalysis analysis(WithHistory history = WithHistory::yes) const {
    return capture->analysis.connection(index, history);
  }
};

enum class ConnectionOrder : std::uint8_t {
  /// Those with the most severe finding first; of these, those with the most data.
  worst,
  /// Most first.
  data,
  goodput,
  retransmissions,
  /// Longest first.
  rtt,
  duration,
  /// Earliest first.
  start,
};

/// "worst first".
std::string_view phrase(ConnectionOrder order);

/// The place of a connection in an order: the higher, the further to the front.
struct OrderRank {
  double first = 0.0;
  double second = 0.0;

  [[nodiscard]] bool comesBefore(const OrderRank& other) const {
    return first != other.first ? first > other.first : second > other.second;
  }
};
/// Where the figure is not known, behind all that have one.
OrderRank rankOf(ConnectionOrder order, const ConnectionAnalysis& analysis);

/// The first `top` of them, or all, in order; equal ones stay as they are.
std::vector<CapturedPick> firstOf(const std::vector<CapturedPick>& picks, ConnectionOrder order,
                                  std::optional<std::size_t> top);

/// Of both directions, as far as the capture shows.
std::uint64_t streamBytes(const ConnectionSummary& flow);
/// Everything that was sent more than once, or was lost before the capture point.
std::uint64_t retransmittedPackets(const DirectionSummary& direction);

}  // namespace tcpscope
