// Activities that connections have given back, for those that become active next.
//
// Where thousands of connections become active and settle each second, malloc would look for memory for each of them
// and find it far from the cache: what was given back last is used first.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/prefetch.h"
#include "core/session/connection_activity.h"

namespace tcpscope {

class SpareActivities {
public:
  SpareActivities() = default;
  /// A copy has its own, and none at first.
  SpareActivities(const SpareActivities&) {}
  SpareActivities(SpareActivities&&) noexcept = default;
  SpareActivities& operator=(const SpareActivities&) { return *this; }
  SpareActivities& operator=(SpareActivities&&) noexcept = default;
  ~SpareActivities() = default;

  [[nodiscard]] ValuePointer<ConnectionActivity> take(Moment from, Nanoseconds halfWindow) {
    ValuePointer<ConnectionActivity> activity;
    if (m_spares.empty()) {
      activity.emplace(from, halfWindow);
      return activity;
    }
    activity = std::move(m_spares.back());
    m_spares.pop_back();
    activity->restart(from, halfWindow);
    if (m_spares.size() >= kAhead) {
      prefetch(&*m_spares[m_spares.size() - kAhead], sizeof(ConnectionActivity));
    }
    return activity;
  }

  /// Keeps one for each sixteen of `connections`: what is given back beyond that is freed.
  void giveBack(ValuePointer<ConnectionActivity> activity, std::size_t connections) {
    if (m_spares.size() < connections / 16) m_spares.push_back(std::move(activity));
  }

  [[nodiscard]] std::size_t size() const { return m_spares.size(); }

private:
  static constexpr std::size_t kAhead = 3;

  std::vector<ValuePointer<ConnectionActivity>> m_spares;
};

}  // namespace tcpscope
