// Figures that a person states for a calculation: what they may be, and those of a connection as a start.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/units.h"
#include "core/model/metric_catalogue.h"

namespace tcpscope {

/// A figure as it is typed: in the units of a metric, within what TCP and its paths can have.
struct StatedFigure {
  Metric metric;
  double least;
  double most;
  std::string_view takes;
};

inline constexpr StatedFigure kStatedRtt{Metric::rtt, 1.0, 3.6e9, "a time from 1us to 1h such as 20ms"};
inline constexpr StatedFigure kStatedTimeout{Metric::rtt, 1.0, 3.6e9, "a time from 1us to 1h such as 220ms"};
inline constexpr StatedFigure kStatedLoss{Metric::retransmittedRatio, 1e-12, 1.0,
                                          "a share above 0 and up to 100% such as 0.1%"};
inline constexpr StatedFigure kStatedRate{Metric::pacingRate, 1.0, 1e15, "a rate from 1bit to 999Tbit such as 100Mbit"};
inline constexpr StatedFigure kStatedWindow{Metric::bytesAcked, 1.0, 1e15, "a size of 1 byte or more such as 64KiB"};
// What Linux sends at least (TCP_MIN_SND_MSS), and what an IPv4 packet holds at most.
inline constexpr StatedFigure kStatedMss{Metric::sndMss, 48.0, 65495.0, "a size from 48 to 65495 such as 1448"};
// What every link of IPv4 carries (RFC 791), and the longest packet.
inline constexpr StatedFigure kStatedMtu{Metric::pmtu, 68.0, 65535.0, "a size from 68 to 65535 such as 9000"};

/// In the base unit of the metric, from "20 ms" or "20ms"; nothing where it is no such figure or out of range.
std::optional<double> statedValue(const StatedFigure& figure, std::string_view text);

/// Each absent until it is stated.
struct StatedFigures {
  std::optional<double> rttSeconds;
  /// Loss events per packet.
  std::optional<double> lossEventRatio;
  /// A connection's loss is known to be none, which no equation takes.
  bool hasNoLoss = false;
  std::optional<Bytes> mss;
  std::optional<Bytes> mtu;
  /// Another MTU to compare it with.
  std::optional<Bytes> otherMtu;
  std::optional<double> windowBytes;
  std::optional<BitsPerSecond> rate;

  bool operator==(const StatedFigures&) const = default;
};

}  // namespace tcpscope
