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

/// Calls `use` with each item in order, and before that `prefetchFor` with the items of the same block.
template <class Item, class PrefetchFor, class Use>
void forEachPrefetched(std::span<const Item> items, PrefetchFor&& prefetchFor, Use&& use) {
  // More misses than those of so few items no processor overlaps.
  constexpr std::size_t kBlock = 8;
  while (!items.empty()) {
    const std::span<const Item> block = items.first(std::min(kBlock, items.size()));
    for (const Item& item : block) prefetchFor(item);
    for (const Item& item : block) use(item);
    items = items.subspan(block.size());
  }
}

}  // namespace tcpscope
