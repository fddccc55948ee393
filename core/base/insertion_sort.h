// A stable sort of a few items, in place: std::stable_sort allocates a buffer for each.
#pragma once

#include <algorithm>

namespace tcpscope {

template <class Items, class Before>
void insertionSort(Items& items, Before&& comesBefore) {
  for (auto item = items.begin(); item != items.end(); ++item) {
    std::rotate(std::upper_bound(items.begin(), item, *item, comesBefore), item, item + 1);
  }
}

}  // namespace tcpscope
