#include "app/cli/path_option.h"

#include "app/cli/resolved_host.h"
#include "collectors/host/path_prober.h"

namespace tcpscope {

Expected<std::optional<PathReading>, ExitCode> readPath(const CommandOptions& options) {
  if (!options.path) return std::nullopt;
  const auto addresses = resolveHost(*options.path);
  if (!addresses) return Unexpected<ExitCode>(addresses.error());
  auto reading = probePath(addresses->front());
  if (!reading) return Unexpected<ExitCode>(fail(reading.error()));
  return *std::move(reading);
}

}  // namespace tcpscope
