// The timer that `ss -o` prints of a socket: a pure function of the word.
#pragma once

#include <optional>
#include <string_view>

#include "core/model/socket_timer.h"

namespace tcpscope {

/// "timer:(on,204ms,0)", "timer:(keepalive,1min59sec,3)". ss prints times below ten minutes to the millisecond
/// ("2.200ms" is 2 s 200 ms), and coarser ones above. Nothing where the word is no timer that is known here.
std::optional<SocketTimer> parseSsTimer(std::string_view word);

}  // namespace tcpscope
