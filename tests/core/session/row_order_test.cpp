#include "core/session/row_order.h"

#include <gtest/gtest.h>

#include <limits>

namespace tcpscope {
namespace {

class RowOrderTest : public ::testing::Test {
protected:
  std::uint32_t add(float rate) {
    const auto slot = static_cast<std::uint32_t>(m_shown.size());
    ConnectionRow& row = m_rows.writable(slot);
    row.id.cookie = slot + 1;
    row.sendRateBps = rate;
    m_shown.push_back(true);
    return slot;
  }
  void update(const std::vector<std::uint32_t>& changed, bool all = false) {
    m_order.update({m_rows, [](const ConnectionRow&) -> const Owner* { return nullptr; }}, m_control, changed, m_shown,
                   all);
  }

  RowPages m_rows;
  RowOrder m_order;
  SessionControl m_control;
  std::vector<bool> m_shown;
};

TEST_F(RowOrderTest, aMergeOfFewChangedRowsEqualsAFullSort) {
  std::vector<std::uint32_t> slots;
  for (int index = 0; index < 100; ++index) slots.push_back(add(static_cast<float>(index * 37 % 101)));
  update(slots, true);
  m_rows.writable(slots[3]).sendRateBps = 1000.0F;
  m_rows.writable(slots[50]).sendRateBps = -0.5F;
  m_shown[slots[7]] = false;
  update({slots[3], slots[50], slots[7]});
  const std::vector<std::uint32_t> merged = *m_order.order();
  update({}, true);
  EXPECT_EQ(merged, *m_order.order());
  EXPECT_EQ(merged.size(), 99U);
}

TEST_F(RowOrderTest, anUnknownRateComesAfterEveryKnownOneWhenTheFastestComeFirst) {
  const std::uint32_t unknown = add(std::numeric_limits<float>::quiet_NaN());
  const std::uint32_t silent = add(0.0F);
  const std::uint32_t fast = add(5.0F);
  update({unknown, silent, fast}, true);
  EXPECT_EQ(*m_order.order(), (std::vector<std::uint32_t>{fast, silent, unknown}));
}

}  // namespace
}  // namespace tcpscope
