// A host of the session that is looked at through ssh, as it is right now.
#pragma once

#include <string>

namespace tcpscope {

struct RemoteHost {
  /// As behind "ssh://".
  std::string address;
  /// Its agent is heard.
  bool isConnected = false;
};

}  // namespace tcpscope
