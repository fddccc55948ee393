#include "app/session/ordered_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>

namespace tcpscope {
namespace {

/// What came, in the order in which it came.
std::vector<std::size_t> used(std::size_t count, std::size_t threads, std::size_t atMost = SIZE_MAX) {
  std::vector<std::size_t> pieces;
  makeInOrder(
      count, threads, [](std::size_t piece) { return piece * 2; },
      [&](std::size_t doubled) {
        pieces.push_back(doubled / 2);
        return pieces.size() < atMost;
      });
  return pieces;
}

std::vector<std::size_t> firstPieces(std::size_t count) {
  std::vector<std::size_t> pieces(count);
  std::iota(pieces.begin(), pieces.end(), std::size_t{0});
  return pieces;
}

TEST(OrderedWork, UsesEveryPieceInOrderHoweverManyThreads) {
  for (const std::size_t count : {0U, 1U, 2U, 63U, 64U, 65U, 5000U}) {
    for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
      EXPECT_EQ(used(count, threads), firstPieces(count)) << count << " pieces on " << threads << " threads";
    }
  }
}

TEST(OrderedWork, EndsWhenNoMoreIsWanted) {
  for (const std::size_t threads : {1U, 2U, 8U}) {
    EXPECT_EQ(used(5000, threads, 100), firstPieces(100)) << threads << " threads";
  }
}

TEST(OrderedWork, MakesEachPieceOnceAndFewAhead) {
  constexpr std::size_t kPieces = 20'000;
  std::atomic<std::size_t> made = 0;
  std::size_t used = 0;
  std::size_t mostAhead = 0;
  makeInOrder(
      kPieces, 2, [&](std::size_t piece) { return ++made, piece; },
      [&](std::size_t) {
        mostAhead = std::max(mostAhead, made.load() - used);
        ++used;
        return true;
      });
  EXPECT_EQ(made, kPieces);
  EXPECT_LE(mostAhead, 1000U) << "results do not pile up";
}

TEST(OrderedWork, TakesResultsThatCanOnlyMove) {
  std::size_t sum = 0;
  makeInOrder(
      100, 4, [](std::size_t piece) { return std::make_unique<std::size_t>(piece); },
      [&](std::unique_ptr<std::size_t>&& result) {
        sum += *result;
        return true;
      });
  EXPECT_EQ(sum, 4950U);
}

}  // namespace
}  // namespace tcpscope
