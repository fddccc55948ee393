// The packets of one direction's graph in the order of the capture: segments of one end, and the acknowledgments of
// them by the other. For a list of them, and for steps from one to the next.
//
// Nothing is copied: a row is found by a search in both series.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/wire/series/direction_series.h"
#include "ui/plots/graph_items.h"

namespace tcpscope {

class PacketOrder {
public:
  /// `series` outlives this.
  explicit PacketOrder(const DirectionSeries& series) : m_series(&series) {}

  [[nodiscard]] std::size_t size() const;
  /// Position in the capture, from 0; `row` below size().
  [[nodiscard]] std::uint32_t numberAt(std::size_t row) const;
  /// Rows with a smaller number: where this packet is, or would be.
  [[nodiscard]] std::size_t rowOf(std::uint32_t number) const;

private:
  const DirectionSeries* m_series;
};

/// A retransmission of any cause, the repair of a loss before the capture point included.
std::span<const GraphItem> retransmissionItems();

/// The first packet behind this number, or the last before it, that is one of these items: symbols of segments,
/// duplicate acknowledgments, zero windows. Nothing where there is none.
std::optional<std::uint32_t> nextOf(const DirectionSeries& series, std::span<const GraphItem> items,
                                    std::uint32_t number);
std::optional<std::uint32_t> previousOf(const DirectionSeries& series, std::span<const GraphItem> items,
                                        std::uint32_t number);
/// All of them in the order of the capture, at most so many.
std::vector<std::uint32_t> packetsOf(const DirectionSeries& series, std::span<const GraphItem> items, std::size_t most);
/// The one nearest to this moment.
std::optional<std::uint32_t> nearestOf(const DirectionSeries& series, std::span<const GraphItem> items, Moment time);

}  // namespace tcpscope
