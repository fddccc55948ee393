// Any description of the state-change event, up to the first NUL, and any bytes as its record and as its payload.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectors/tracepoint/connection_log.h"
#include "collectors/tracepoint/set_state_event.h"
#include "core/base/invariant.h"

using namespace tcpscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(bytes), size);
  const std::size_t end = std::min(all.find('\0'), size);
  const auto rest = std::as_bytes(std::span(bytes, size)).subspan(end);
  decodeSetStatePayload(rest);
  const auto layout = parseSetStateFormat(all.substr(0, end));
  if (!layout) return 0;
  if (auto event = decodeSetState(*layout, rest, Moment())) {
    TCPSCOPE_INVARIANT(rest.size() >= layout->length);
    TCPSCOPE_INVARIANT(decodeSetStatePayload(event->payload).has_value());
    SocketNumbers().number(*layout, rest, *event);
    const auto numbered = decodeSetStatePayload(event->payload);
    TCPSCOPE_INVARIANT(numbered && numbered->socket.has_value());
    ConnectionLog().take(*event);
  }
  return 0;
}
