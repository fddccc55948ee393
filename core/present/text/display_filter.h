// A connection as Wireshark's display filters name it.
#pragma once

#include <string>

#include "core/model/endpoint.h"

namespace tcpscope {

/// "ip.addr == 192.0.2.1 && ip.addr == 198.51.100.2 && tcp.port == 40000 && tcp.port == 443", as for Wireshark's
/// conversation filters: the packets of both directions.
std::string displayFilter(const Endpoint& one, const Endpoint& other);

}  // namespace tcpscope
