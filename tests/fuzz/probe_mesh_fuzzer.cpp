// Any bytes as a file of hosts: those that are taken are few, different, and nothing that ssh would take for an option.
#include <cstdint>
#include <set>
#include <string_view>

#include "app/probe/probe_mesh_file.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const auto hosts = parseProbeMesh({reinterpret_cast<const char*>(bytes), size});
  if (!hosts) {
    TCPSCOPE_INVARIANT(!hosts.error().empty() && hosts.error().find('\x1b') == std::string::npos);
    return 0;
  }
  TCPSCOPE_INVARIANT(!hosts->empty() && hosts->size() <= kMostMeshHosts);
  std::set<std::string> names;
  for (const ProbeTarget& host : *hosts) {
    TCPSCOPE_INVARIANT(names.insert(host.name).second);
    TCPSCOPE_INVARIANT(!host.address.host.empty() && host.address.host.front() != '-');
    TCPSCOPE_INVARIANT(host.isSsh || host.port() != 0);
  }
  return 0;
}
