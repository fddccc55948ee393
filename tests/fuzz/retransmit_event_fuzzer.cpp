// Any description of the retransmission event, up to the first NUL, and any bytes as a ring of records: nothing is read
// outside of them, and a layout never reaches behind what it says.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectors/tracepoint/perf_ring.h"
#include "collectors/tracepoint/retransmit_event.h"
#include "core/base/invariant.h"

using namespace tcpscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(bytes), size);
  const std::size_t end = std::min(all.find('\0'), size);
  const auto layout = parseRetransmitFormat(all.substr(0, end));
  const auto rest = std::as_bytes(std::span(bytes, size)).subspan(end);
  std::size_t reported = 0;
  readPerfRecords(rest, [&](std::span<const std::byte> record, Moment at) {
    reported += record.size();
    if (layout && decodeRetransmit(*layout, record, at)) TCPSCOPE_INVARIANT(record.size() >= layout->length);
  });
  TCPSCOPE_INVARIANT(reported <= rest.size());
  if (layout) decodeRetransmit(*layout, rest, Moment());
  return 0;
}
