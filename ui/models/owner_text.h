// Who holds a socket, for a cell. Names come from other users' processes: control and bidirectional characters are
// gone.
#pragma once

#include <QString>

#include "core/model/owner.h"

namespace tcpscope {

/// "nginx (812)"; an en dash where the owner is not known.
QString processText(const Owner* owner);

/// What stands where a figure is not known.
QString notKnown();

}  // namespace tcpscope
