#include "core/session/session_snapshot.h"

#include <algorithm>

#include "core/host/sysctl_values.h"

namespace tcpscope {

const SysctlValues& SessionSnapshot::settings(PlaceId id) const {
  static const SysctlValues kNotReported;
  for (const Place& place : places) {
    if (place.id == id && place.settings) return *place.settings;
  }
  return kNotReported;
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
