// The packets of one connection in the words of pcap-filter(7), as a capture of it begins with and a user edits.
//
// Both ends are named without their roles, which is what people write: a second connection between the same hosts with
// the two ports swapped passes, too, and a caller that needs only one compares the ends.
#pragma once

#include <string>

#include "core/model/endpoint.h"

namespace tcpscope {

/// "tcp and host 192.0.2.1 and port 443 and host 198.51.100.2 and port 50000".
std::string packetFilterOf(const Endpoint& local, const Endpoint& remote);

}  // namespace tcpscope
