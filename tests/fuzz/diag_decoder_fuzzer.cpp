// Any bytes as a datagram of the kernel, and as one diagnosis message: nothing is read outside of them, and what is
// accepted is digested the same whatever came before.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectors/sock_diag/diag_decoder.h"
#include "collectors/sock_diag/diag_digest.h"
#include "collectors/sock_diag/netlink_message.h"
#include "core/base/invariant.h"

namespace {

using namespace tcpscope;

AttributeLayout layoutOfEarlierMessages;

void tryMessage(std::span<const std::byte> payload) {
  // Bytes of its own size on the heap: the address sanitizer then sees a read behind their end.
  const std::vector<std::byte> exact(payload.begin(), payload.end());
  SocketObservation observation;
  const bool isGood = decodeDiagMessage(exact, {PlaceId{0}, AccecnLayout::linux70, Moment()}, observation).has_value();
  AttributeLayout unknown;
  const std::optional<DiagDigest> first = digestOf(exact, unknown);
  const std::optional<DiagDigest> second = digestOf(exact, layoutOfEarlierMessages);
  TCPSCOPE_INVARIANT(first.has_value() || !isGood);
  TCPSCOPE_INVARIANT(first.has_value() == second.has_value());
  if (first) TCPSCOPE_INVARIANT(first->digest == second->digest);
  if (!isGood) return;
  TCPSCOPE_INVARIANT(first->cookie == observation.id.cookie);
  TCPSCOPE_INVARIANT(observation.info.bytes().size() <= tcp_info::kKnownSize);
  TCPSCOPE_INVARIANT(observation.congestionControl.text().size() <= 15);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(bytes, size));
  tryMessage(input);
  NetlinkMessages messages(input);
  while (const std::optional<NetlinkMessage> message = messages.next()) tryMessage(message->payload);
  return 0;
}
