// A connection's row in the list, made from what is tracked of it.
#pragma once

#include "core/session/connection_table.h"

namespace tcpscope {

/// Fills the row but for `pinned`. `seenUntil`: a dump found the connection unchanged up to then; at or before its last
/// sample nothing can be said of a connection without activity.
void updateRow(const TrackedConnection& tracked, Moment seenUntil, ConnectionRow& row);

}  // namespace tcpscope
