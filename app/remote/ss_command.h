// What a host is asked to run that shall look at itself through `ss`: the other end of collectors/ss.
#pragma once

#include <string_view>

namespace tcpscope {

/// One word for ssh, which the login shell there reads, whichever it is. It answers each line on its standard input
/// with one run of ss, writes nothing to that host, ends with the input, and with 127 where there is no ss.
std::string_view ssCommand();

}  // namespace tcpscope
