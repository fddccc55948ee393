#include "core/session/session_snapshot.h"

#include <algorithm>

#include "core/host/sysctl_values.h"

namespace tcpscope {

const Place* SessionSnapshot::place(PlaceId id) const {
  const auto found = std::find_if(places.begin(), places.end(), [id](const Place& one) { return one.id == id; });
  return found == places.end() ? nullptr : &*found;
}

const SysctlValues& SessionSnapshot::settings(PlaceId id) const {
  static const SysctlValues kNotReported;
  const Place* const found = place(id);
  return found != nullptr && found->settings ? *found->settings : kNotReported;
}

const ConnectionFacts* SessionSnapshot::find(ConnectionId id) const {
  for (const auto& page : facts) {
    const auto found =
        std::find_if(page->begin(), page->end(), [id](const ConnectionFacts& row) { return row.id == id; });
    if (found != page->end()) return &*found;
  }
  return nullptr;
}

}  // namespace tcpscope
