// What local_place and local_session share: how the sources of a place are opened, and why one was not.
#pragma once

#include "app/session/local_place.h"
#include "collectors/catalogue/source_catalogue.h"

namespace tcpscope {

Environment environmentOf(const LocalPlace& place);
SystemError systemError(const NetlinkError& error, const LocalPlace& place);

}  // namespace tcpscope
