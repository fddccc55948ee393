#include "core/model/slot_index.h"

#include <gtest/gtest.h>

#include <random>

#include "core/model/connection_id.h"

namespace tcpscope {
namespace {

/// A table of connections, as small as can be: the slot is the place in it.
struct Table {
  std::vector<ConnectionId> ids;
  SlotIndex<ConnectionId> index;
  mutable std::size_t keysRead = 0;

  [[nodiscard]] auto keyAt() const {
    return [this](std::uint32_t slot) { return ++keysRead, ids[slot]; };
  }
  void add(ConnectionId id) {
    ids.push_back(id);
    index.insert(id, static_cast<std::uint32_t>(ids.size() - 1), keyAt());
  }
};

ConnectionId id(std::uint64_t cookie) {
  return {PlaceId{0}, cookie};
}

TEST(SlotIndex, IsEmptyAtFirst) {
  Table table;
  EXPECT_EQ(table.index.find(id(1), table.keyAt()), SlotIndex<ConnectionId>::kNoSlot);
  EXPECT_EQ(table.index.erase(id(1), table.keyAt()), SlotIndex<ConnectionId>::kNoSlot);
  EXPECT_EQ(table.index.size(), 0U);
}

TEST(SlotIndex, DistinguishesPlaces) {
  Table table;
  table.add({PlaceId{1}, 7});
  table.add({PlaceId{2}, 7});
  EXPECT_EQ(table.index.find({PlaceId{2}, 7}, table.keyAt()), 1U);
  EXPECT_EQ(table.index.find({PlaceId{3}, 7}, table.keyAt()), SlotIndex<ConnectionId>::kNoSlot);
}

TEST(SlotIndex, FindsWhatStaysWhileOthersComeAndGo) {
  Table table;
  std::mt19937_64 random(1);
  std::vector<bool> isThere;
  for (int step = 0; step < 20'000; ++step) {
    if (step % 3 != 2) {
      table.add(id(random()));
      isThere.push_back(true);
      continue;
    }
    const std::size_t gone = random() % table.ids.size();
    const auto erased = table.index.erase(table.ids[gone], table.keyAt());
    EXPECT_EQ(erased, isThere[gone] ? gone : SlotIndex<ConnectionId>::kNoSlot);
    isThere[gone] = false;
  }
  for (std::uint32_t slot = 0; slot < table.ids.size(); ++slot) {
    EXPECT_EQ(table.index.find(table.ids[slot], table.keyAt()),
              isThere[slot] ? slot : SlotIndex<ConnectionId>::kNoSlot);
  }
}

/// The kernel hands out cookies in sequence, in blocks a processor.
TEST(SlotIndex, FindsCookiesInSequenceAtTheFirstOrSecondProbe) {
  for (const std::uint64_t step : {1U, 2U, 3U, 4096U}) {
    Table table;
    constexpr std::size_t kSockets = 50'000;
    for (std::size_t number = 1; number <= kSockets; ++number) table.add(id(number * step));
    table.keysRead = 0;
    for (const ConnectionId& known : table.ids) EXPECT_NE(table.index.find(known, table.keyAt()), ~std::uint32_t{0});
    EXPECT_LT(table.keysRead, 2 * kSockets) << "cookies " << step << " apart";
  }
}

}  // namespace
}  // namespace tcpscope
