// Lines of the other end of a probe: one that is understood is sent in the same words again; and the payload of a
// probe's packet.
#include <cstdlib>
#include <string>

#include "core/wire/probe/probe_message.h"
#include "core/wire/probe/probe_packet.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcpscope;
  const auto packet = parseProbePacket(std::as_bytes(std::span(data, size)));
  if (packet && parseProbePacket(encoded(*packet)) != packet) std::abort();
  const auto message = parseProbeLine({reinterpret_cast<const char*>(data), size});
  if (!message) return 0;
  const std::string line = lineOf(*message);
  const auto again = parseProbeLine(std::string_view(line).substr(0, line.size() - 1));
  if (!again || lineOf(*again) != line) std::abort();
  const auto* request = std::get_if<ProbeRunRequest>(&*message);
  if (request != nullptr && request->plan.isWithinLimits() && request->plan.time() > kMostProbeTime) std::abort();
  return 0;
}
