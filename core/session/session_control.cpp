#include "core/session/session_control.h"

namespace tcpscope {

bool listsAlike(const SessionControl& a, const SessionControl& b) {
  return a.sortKey == b.sortKey && a.sortDescending == b.sortDescending && a.grouping == b.grouping &&
         a.keepClosed == b.keepClosed && a.filter.root() == b.filter.root() && a.pinned == b.pinned;
}

}  // namespace tcpscope
