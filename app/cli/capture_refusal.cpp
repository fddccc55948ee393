#include "app/cli/capture_refusal.h"

#include <fmt/format.h>

#include "collectors/pcap/capture_reader.h"
#include "core/base/escape.h"

namespace tcpscope {

std::optional<ExitCode> refuseCapture(const CommandOptions& options) {
  if (!options.from || options.sshAddress()) return std::nullopt;
  auto source = openRegularFile(*options.from);
  if (!source || !CaptureReader::open(std::move(*source))) return std::nullopt;
  const std::string file = forTerminal(*options.from);
  return fail(ExitCode::badInput,
              fmt::format("'{}' is a packet capture, not a recording; use 'tcpscope-cli analyze {}'", file, file));
}

}  // namespace tcpscope
