// The order in which rows are shown: filtered, grouped, sorted, pinned ones first.
//
// Kept from tick to tick: only the rows whose place may be another are taken out, sorted and merged back, so that a
// hundred thousand rows of which few change cost one pass. While places are kept, changed rows wait for their new one.
#pragma once

#include <functional>

#include "core/session/row_pages.h"
#include "core/session/sort_rank.h"

namespace tcpscope {

enum class RowPlaces : std::uint8_t {
  /// Each row stands where its figures put it.
  current,
  /// Rows stay where they are; new ones come where their figures put them.
  kept,
  /// Rows stay where they are; new ones come last, or last of their group.
  keptWithNewLast
};

class RowOrder {
public:
  /// What the order needs of a row beside the row itself.
  struct Access {
    const RowPages& rows;
    std::function<const Owner*(const ConnectionFacts&)> owner;
  };

  /// `changed`: slots whose row changed, came, or went, each once; `shown[slot]`: passes the filter.
  /// `all`: the control changed, so every row is sorted again, and none keeps its place.
  void update(const Access& access, const SessionControl& control, const std::vector<std::uint32_t>& changed,
              const std::vector<bool>& shown, bool all, RowPlaces places = RowPlaces::current);

  [[nodiscard]] const std::shared_ptr<const std::vector<std::uint32_t>>& order() const { return m_order; }
  [[nodiscard]] const std::shared_ptr<const std::vector<RowGroup>>& groups() const { return m_groups; }

private:
  [[nodiscard]] bool comesBefore(const Access& access, const SessionControl& control, std::uint32_t a,
                                 std::uint32_t b) const;
  /// Ranks the changed rows; gives those that get a new place and takes them out of m_isPlaced.
  std::vector<std::uint32_t> takeOut(const Access& access, const SessionControl& control,
                                     const std::vector<std::uint32_t>& changed, const std::vector<bool>& shown,
                                     RowPlaces places);
  /// The rank to sort by, which is the former one where the row keeps its place.
  SortRank rankOf(const Access& access, const SessionControl& control, std::uint32_t slot, RowPlaces places);
  void wait(std::uint32_t slot);
  /// `changed`, and the rows that wait for their places: none does any more.
  std::vector<std::uint32_t> withWaiting(const std::vector<std::uint32_t>& changed);
  void findGroups(const Access& access, Grouping grouping);

  /// By slot.
  std::vector<SortRank> m_ranks;
  /// By slot: stands in m_order where it belongs.
  std::vector<bool> m_isPlaced;
  /// By slot: the row may belong elsewhere than where it stands.
  std::vector<bool> m_isWaiting;
  std::vector<std::uint32_t> m_waiting;
  std::shared_ptr<const std::vector<std::uint32_t>> m_order = std::make_shared<std::vector<std::uint32_t>>();
  std::shared_ptr<const std::vector<RowGroup>> m_groups = std::make_shared<std::vector<RowGroup>>();
};

}  // namespace tcpscope
