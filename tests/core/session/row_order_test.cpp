#include "core/session/row_order.h"

#include <gtest/gtest.h>

#include <limits>

namespace tcpscope {
namespace {

class RowOrderTest : public ::testing::Test {
protected:
  std::uint32_t add(float rate) {
    const auto slot = static_cast<std::uint32_t>(m_shown.size());
    m_shown.push_back(true);
    setRate(slot, rate);
    return slot;
  }
  void setRate(std::uint32_t slot, float rate) {
    ConnectionRow row;
    row.id.cookie = slot + 1;
    row.sendRateBps = rate;
    m_rows.set(slot, row);
  }
  void moveTo(PlaceId place, std::uint32_t slot) {
    ConnectionRow row{m_rows.facts(slot), m_rows.figures(slot)};
    row.id.place = place;
    m_rows.set(slot, row);
  }
  void update(const std::vector<std::uint32_t>& changed, bool all = false, RowPlaces places = RowPlaces::current) {
    m_order.update({m_rows, [](const ConnectionFacts&) -> const Owner* { return nullptr; }}, m_control, changed,
                   m_shown, all, places);
  }
  using Slots = std::vector<std::uint32_t>;

  RowPages m_rows;
  RowOrder m_order;
  SessionControl m_control;
  std::vector<bool> m_shown;
};

TEST_F(RowOrderTest, aMergeOfFewChangedRowsEqualsAFullSort) {
  std::vector<std::uint32_t> slots;
  for (int index = 0; index < 100; ++index) slots.push_back(add(static_cast<float>(index * 37 % 101)));
  update(slots, true);
  setRate(slots[3], 1000.0F);
  setRate(slots[50], 0.5F);
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

/// Rows that differ in everything that can be sorted by, with many equal values among them.
ConnectionRow variedRow(std::uint32_t number) {
  ConnectionRow row;
  row.id.cookie = 1 + number * 7919 % 10'007;
  row.local = {IpAddress::v4({192, 0, 2, static_cast<std::uint8_t>(number % 5)}), 443};
  row.remote = {IpAddress::v4({198, 51, 100, static_cast<std::uint8_t>(number % 7)}), 80};
  row.state = number % 3 == 0 ? TcpState::established : TcpState::closeWait;
  row.bulk = number % 2 == 0 ? Side::sending : Side::receiving;
  row.sendRateBps = static_cast<float>(number % 11);
  row.receiveRateBps = number % 4 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(number % 13);
  row.rttUs = static_cast<float>(number % 17);
  row.retransmittedRatio = static_cast<float>(number % 19) / 19.0F;
  row.limit = kLimits[number % kLimitCount];
  row.firstSeen = Moment::fromNanoseconds(static_cast<std::int64_t>(number % 23) * 1'000);
  row.closedAt = row.firstSeen + Nanoseconds(number % 29);
  row.sentBytes = static_cast<float>(number % 7);
  row.receivedBytes = static_cast<float>(number % 5);
  row.severity = static_cast<std::uint8_t>(number % 4);
  row.pinned = number % 31 == 0;
  row.closed = number % 6 == 0;
  return row;
}

TEST_F(RowOrderTest, AMergeEqualsAFullSortForEveryKeyAndGrouping) {
  for (const Grouping grouping : {Grouping::none, Grouping::remote}) {
    for (int key = 0; key <= static_cast<int>(kLastSortKey); ++key) {
      for (const bool descending : {false, true}) {
        m_control.grouping = grouping;
        m_control.sortKey = static_cast<SortKey>(key);
        m_control.sortDescending = descending;
        m_shown.assign(200, true);
        for (std::uint32_t slot = 0; slot < 200; ++slot) m_rows.set(slot, variedRow(slot));
        update({}, true);
        const std::vector<std::uint32_t> changed = {0, 3, 62, 100, 150, 199};
        for (const std::uint32_t slot : changed) m_rows.set(slot, variedRow(slot + 1000));
        m_shown[150] = false;
        update(changed);
        const std::vector<std::uint32_t> merged = *m_order.order();
        update({}, true);
        EXPECT_EQ(merged, *m_order.order()) << "key " << key << ", descending " << descending;
      }
    }
  }
}

TEST_F(RowOrderTest, TheWorstComesFirstAndOfEqualOnesTheOneWithMoreData) {
  std::vector<std::uint32_t> slots;
  for (const auto& [severity, bytes] : std::vector<std::pair<int, float>>{
           {0, 5e9F}, {2, 10.0F}, {3, std::numeric_limits<float>::quiet_NaN()}, {2, 1e6F}, {1, 7.0F}, {3, 3.0F}}) {
    const std::uint32_t slot = add(0.0F);
    ConnectionRow row{m_rows.facts(slot), m_rows.figures(slot)};
    row.severity = static_cast<std::uint8_t>(severity);
    row.receivedBytes = bytes;
    m_rows.set(slot, row);
    slots.push_back(slot);
  }
  m_control.sortKey = SortKey::worst;
  m_control.sortDescending = true;
  update(slots, true);
  EXPECT_EQ(*m_order.order(), (std::vector<std::uint32_t>{slots[5], slots[2], slots[3], slots[1], slots[4], slots[0]}));
}

TEST_F(RowOrderTest, ARowWhoseRateStaysKeepsThePublishedOrder) {
  const std::uint32_t first = add(5.0F);
  const std::uint32_t second = add(3.0F);
  update({first, second}, true);
  const auto published = m_order.order();
  setRate(second, 3.0F);
  update({second});
  EXPECT_EQ(m_order.order(), published);
}

TEST_F(RowOrderTest, ARowThatAnotherConnectionTookOverIsResorted) {
  const std::uint32_t first = add(5.0F);
  const std::uint32_t second = add(5.0F);
  update({first, second}, true);
  ConnectionRow later;
  later.id.cookie = 99;
  later.sendRateBps = 5.0F;
  m_rows.set(first, later);
  update({first});
  EXPECT_EQ(*m_order.order(), (std::vector<std::uint32_t>{second, first}));
}

TEST_F(RowOrderTest, rowsOfOnePlaceStandTogether) {
  const std::vector<std::uint32_t> slots = {add(1.0F), add(4.0F), add(3.0F), add(2.0F)};
  for (const std::uint32_t slot : {slots[1], slots[3]}) moveTo(PlaceId{1}, slot);
  m_control.grouping = Grouping::place;
  update(slots, true);
  EXPECT_EQ(*m_order.order(), (std::vector<std::uint32_t>{slots[2], slots[0], slots[1], slots[3]}));
  ASSERT_EQ(m_order.groups()->size(), 2U);
  EXPECT_EQ((*m_order.groups())[1].first, 2U);
  EXPECT_EQ((*m_order.groups())[1].size, 2U);
}

TEST_F(RowOrderTest, RowsThatKeepTheirPlacesGetTheirNewOnesAfterwards) {
  const std::uint32_t slow = add(1.0F);
  const std::uint32_t fast = add(9.0F);
  const std::uint32_t middle = add(5.0F);
  update({slow, fast, middle}, true);
  setRate(slow, 20.0F);
  update({slow}, false, RowPlaces::kept);
  update({}, false, RowPlaces::kept);
  EXPECT_EQ(*m_order.order(), (Slots{fast, middle, slow}));
  update({});
  EXPECT_EQ(*m_order.order(), (Slots{slow, fast, middle}));
}

TEST_F(RowOrderTest, ANewRowAmongKeptOnesComesWhereItBelongsOrLast) {
  const std::uint32_t slow = add(1.0F);
  const std::uint32_t fast = add(9.0F);
  update({slow, fast}, true);
  const std::uint32_t middle = add(5.0F);
  update({middle}, false, RowPlaces::kept);
  EXPECT_EQ(*m_order.order(), (Slots{fast, middle, slow}));
  const std::uint32_t fastest = add(50.0F);
  update({fastest}, false, RowPlaces::keptWithNewLast);
  EXPECT_EQ(*m_order.order(), (Slots{fast, middle, slow, fastest}));
  update({});
  EXPECT_EQ(*m_order.order(), (Slots{fastest, fast, middle, slow}));
}

TEST_F(RowOrderTest, AKeptPlaceIsNotThatOfTheConnectionThatTookTheSlotOver) {
  const std::uint32_t fast = add(9.0F);
  const std::uint32_t slow = add(1.0F);
  update({fast, slow}, true);
  ConnectionRow later;
  later.id.cookie = 99;
  later.sendRateBps = 20.0F;
  m_rows.set(fast, later);
  update({fast}, false, RowPlaces::keptWithNewLast);
  EXPECT_EQ(*m_order.order(), (Slots{slow, fast}));
}

TEST_F(RowOrderTest, ARowThatTheFilterHidesGoesAtOnce) {
  const std::uint32_t fast = add(9.0F);
  const std::uint32_t slow = add(1.0F);
  update({fast, slow}, true);
  m_shown[fast] = false;
  update({fast}, false, RowPlaces::keptWithNewLast);
  EXPECT_EQ(*m_order.order(), (Slots{slow}));
}

TEST_F(RowOrderTest, AnotherOrderIsInForceAtOnceAndNothingWaits) {
  const std::uint32_t fast = add(9.0F);
  const std::uint32_t slow = add(1.0F);
  update({fast, slow}, true);
  setRate(slow, 20.0F);
  update({slow}, false, RowPlaces::keptWithNewLast);
  m_control.sortDescending = false;
  update({}, true, RowPlaces::keptWithNewLast);
  EXPECT_EQ(*m_order.order(), (Slots{fast, slow}));
}

TEST_F(RowOrderTest, GroupsStayTogetherWhileRowsKeepTheirPlaces) {
  const Slots slots = {add(1.0F), add(4.0F), add(3.0F), add(2.0F)};
  for (const std::uint32_t slot : {slots[1], slots[3]}) moveTo(PlaceId{1}, slot);
  m_control.grouping = Grouping::place;
  update(slots, true);
  setRate(slots[0], 8.0F);
  const std::uint32_t added = add(50.0F);
  update({slots[0], added}, false, RowPlaces::keptWithNewLast);
  EXPECT_EQ(*m_order.order(), (Slots{slots[2], slots[0], added, slots[1], slots[3]}));
  update({});
  EXPECT_EQ(*m_order.order(), (Slots{added, slots[0], slots[2], slots[1], slots[3]}));
}

TEST_F(RowOrderTest, KeptPlacesMakeNoDifferenceInTheEnd) {
  m_control.sortKey = SortKey::verdict;
  m_shown.assign(200, true);
  for (std::uint32_t slot = 0; slot < 200; ++slot) m_rows.set(slot, variedRow(slot));
  update({}, true);
  for (std::uint32_t round = 1; round <= 5; ++round) {
    const Slots changed = {round, 20 + round, 62, 199 - round};
    for (const std::uint32_t slot : changed) m_rows.set(slot, variedRow(slot + 1000 * round));
    m_shown[40 + round] = false;
    m_shown[39 + round] = true;
    update({round, 20 + round, 62, 199 - round, 39 + round, 40 + round}, false,
           round % 2 == 0 ? RowPlaces::kept : RowPlaces::keptWithNewLast);
  }
  update({});
  const Slots waited = *m_order.order();
  update({}, true);
  EXPECT_EQ(waited, *m_order.order());
}

}  // namespace
}  // namespace tcpscope
