#include "core/base/prefetch.h"

#include <gtest/gtest.h>

#include <vector>

namespace tcpscope {
namespace {

/// How far each of two stages and the use have come, by item.
struct Progress {
  std::vector<int> first;
  std::vector<int> second;
  std::vector<int> used;
};

Progress progressOver(int size) {
  std::vector<int> items;
  for (int item = 0; item < size; ++item) items.push_back(item);
  Progress progress;
  forEachPrefetched(
      std::span<const int>(items),
      [&](int item) {
        EXPECT_GT(progress.second.size(), static_cast<std::size_t>(item)) << "used before its stages";
        progress.used.push_back(item);
      },
      [&](int item) { progress.first.push_back(item); },
      [&](int item) {
        EXPECT_GT(progress.first.size(), static_cast<std::size_t>(item)) << "before the stage in front";
        progress.second.push_back(item);
      });
  EXPECT_EQ(progress.used, items);
  return progress;
}

TEST(ForEachPrefetched, TakesEachItemThroughEveryStageInOrder) {
  for (const int size : {0, 1, 5, 6, 7, 12, 13, 100}) {
    const Progress progress = progressOver(size);
    EXPECT_EQ(progress.first, progress.used);
    EXPECT_EQ(progress.second, progress.used);
  }
}

}  // namespace
}  // namespace tcpscope
