// Which interface the packets of a connection pass: the one that has the local address, which sees each packet once,
// where "any" also shows what runs below it (a bond's or a VLAN's carrier).
#pragma once

#include <string>

#include "core/model/endpoint.h"

namespace tcpscope {

/// "lo" where both ends are of this host; "any" where no interface has the local address. Asks the system.
std::string captureInterfaceOf(const IpAddress& local, const IpAddress& remote);

}  // namespace tcpscope
