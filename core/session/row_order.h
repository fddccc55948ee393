// The order in which rows are shown: filtered, grouped, sorted, pinned ones first.
//
// Kept from tick to tick: only the rows that changed are taken out, sorted and merged back, so that a hundred thousand
// rows of which few change cost one pass.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/session/row_pages.h"
#include "core/session/session_control.h"

namespace tcpscope {

class RowOrder {
public:
  /// What the order needs of a row beside the row itself.
  struct Access {
    const RowPages& rows;
    std::function<const Owner*(const ConnectionRow&)> owner;
  };

  /// `changed`: slots whose row changed, came, or went; `shown[slot]`: passes the filter.
  /// `all`: the sort key or the grouping changed, so that every row is sorted anew.
  void update(const Access& access, const SessionControl& control, const std::vector<std::uint32_t>& changed,
              const std::vector<bool>& shown, bool all);

  [[nodiscard]] const std::shared_ptr<const std::vector<std::uint32_t>>& order() const { return m_order; }
  [[nodiscard]] const std::shared_ptr<const std::vector<RowGroup>>& groups() const { return m_groups; }

private:
  void findGroups(const Access& access, Grouping grouping);

  std::shared_ptr<const std::vector<std::uint32_t>> m_order = std::make_shared<std::vector<std::uint32_t>>();
  std::shared_ptr<const std::vector<RowGroup>> m_groups = std::make_shared<std::vector<RowGroup>>();
};

}  // namespace tcpscope
