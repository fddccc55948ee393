// Any bytes as the kernel's answers about interfaces, queue disciplines, routes and what TCP remembers: nothing is read
// outside of them, and what is accepted is named.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectors/host/rtnetlink_decoder.h"
#include "collectors/host/tcp_metrics_reader.h"
#include "collectors/sock_diag/netlink_message.h"
#include "core/base/invariant.h"

namespace {

using namespace tcpscope;

void tryMessage(std::span<const std::byte> payload) {
  // Bytes of its own size on the heap: the address sanitizer then sees a read behind their end.
  const std::vector<std::byte> exact(payload.begin(), payload.end());
  const auto link = decodeLink(exact);
  TCPSCOPE_INVARIANT(!link || (!link->name.empty() && link->name.rawBytes().size() <= exact.size()));
  const auto discipline = decodeQueueDiscipline(exact);
  TCPSCOPE_INVARIANT(!discipline || !discipline->kind.empty());
  const auto route = decodeRoute(exact);
  TCPSCOPE_INVARIANT(!route || route->settings.size() <= exact.size());
  decodeTcpMetrics(exact);
  decodeFamilyNumber(exact);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(bytes, size));
  tryMessage(input);
  NetlinkMessages messages(input);
  while (const std::optional<NetlinkMessage> message = messages.next()) tryMessage(message->payload);
  return 0;
}
