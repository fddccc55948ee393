// Hints to the processor which data is needed soon, so that the cache misses of several items overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tcpscope {

/// `data` may be null.
inline void prefetch(const void* data, std::size_t size) {
  constexpr std::uintptr_t kCacheLine = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  // From the beginning of its first line: else the last one would be left out.
  const auto* line = static_cast<const std::byte*>(data) - begin % kCacheLine;
  for (; reinterpret_cast<std::uintptr_t>(line) < begin + size; line += kCacheLine) __builtin_prefetch(line);
}

/// Calls `use` with each item in order. Before that it calls each of `stages` with it, in their order and some items
/// ahead of the next, so that a stage may read what the one before it has prefetched. Six are enough where an item
/// takes some hundreds of nanoseconds; more where it takes less than a miss.
template <std::size_t kAhead = 6, class Item, class Use, class... Stages>
void forEachPrefetched(std::span<const Item> items, Use&& use, Stages&&... stages) {
  constexpr std::size_t kStages = sizeof...(Stages);
  for (std::size_t step = 0; step < items.size() + kStages * kAhead; ++step) {
    std::size_t delay = 0;
    const auto reach = [&](auto&& call) {
      if (step >= delay && step - delay < items.size()) call(items[step - delay]);
      delay += kAhead;
    };
    (reach(stages), ...);
    reach(use);
  }
}

}  // namespace tcpscope
