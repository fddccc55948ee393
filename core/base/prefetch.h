// Hints to the processor which data is needed soon, so that the cache misses of several items overlap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace tcpscope {

/// `data` may be null.
inline void prefetch(const void* data, std::size_t size) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t at = 0; at < size; at += kCacheLine) __builtin_prefetch(static_cast<const std::byte*>(data) + at);
}

/// Calls `use` with each item in order, and before that each of `stages` in turn with the items of the same block: what
/// a stage reads was loaded by the one before it.
template <class Item, class Use, class... Stages>
void forEachPrefetched(std::span<const Item> items, Use&& use, Stages&&... stages) {
  // More misses than those of so few items no processor overlaps.
  constexpr std::size_t kBlock = 8;
  while (!items.empty()) {
    const std::span<const Item> block = items.first(std::min(kBlock, items.size()));
    const auto runStage = [block](auto&& stage) {
      for (const Item& item : block) stage(item);
    };
    (runStage(stages), ...);
    for (const Item& item : block) use(item);
    items = items.subspan(block.size());
  }
}

}  // namespace tcpscope
