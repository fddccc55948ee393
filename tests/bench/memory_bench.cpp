// Figure 4: what a connection costs without focus in resident memory: collector, session and two snapshots
// together, after several cycles.
#include <fmt/core.h>

#include "tests/bench/held_connections.h"
#include "tests/bench/live_parts.h"
#include "tests/bench/measurement.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

double bytesPerRow(std::size_t before, const LiveParts& parts) {
  return static_cast<double>(residentBytes() - before) / static_cast<double>(parts.snapshot().totalRows);
}

void publishBytes(const std::string& name, double bytes, std::optional<double> target) {
  publish({name, fmt::format("{:.0f} bytes", bytes), "", bytes, "bytes", target});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::size_t sockets = quick ? 2'000 : 100'000;
  HeldConnections held(sockets);
  const std::size_t before = residentBytes();
  LiveParts parts;
  for (int cycle = 0; cycle < 3; ++cycle) parts.cycle();
  publishBytes(fmt::format("memory of an idle connection ({})", sockets), bytesPerRow(before, parts),
               quick ? std::nullopt : std::optional(1000.0));
  for (int cycle = 0; cycle < 5; ++cycle) {
    held.change(100);
    parts.cycle();
  }
  publishBytes("memory of a connection without focus, all active", bytesPerRow(before, parts), std::nullopt);
  return 0;
}
