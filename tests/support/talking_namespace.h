// A network namespace of its own, in which data flows all the time, and its connection in a session that lists it.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <string>

#include "core/session/session_snapshot.h"
#include "tests/support/endless_transfer.h"
#include "tests/support/namespace_process.h"
#include "tests/support/own_namespace.h"

namespace tcpscope::test {

/// With a transfer over its loopback device.
class TalkingNamespace : public NamespaceProcess {
public:
  TalkingNamespace()
      : NamespaceProcess([] {
          enterOwnNamespace();
          return hasOwnNamespace() ? std::make_unique<EndlessTransfer>() : nullptr;
        }) {}
};

/// The connection of the namespace of this process; null where it is not listed yet.
inline const ConnectionFacts* establishedIn(const SessionSnapshot& seen, const std::string& pid) {
  struct stat status {};
  if (stat(("/proc/" + pid + "/ns/net").c_str(), &status) != 0) return nullptr;
  const std::string name = std::to_string(status.st_ino);
  for (const Place& place : seen.places) {
    if (place.networkNamespace != name) continue;
    for (const std::uint32_t slot : *seen.order) {
      const ConnectionRow& row = seen.row(slot);
      if (row.id.place == place.id && row.state == TcpState::established) return seen.find(row.id);
    }
  }
  return nullptr;
}

}  // namespace tcpscope::test
