// Any text as what ss prints: bounded, the same however it is cut, and nothing comes out that could not be written.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "collectors/ss/ss_reader.h"
#include "collectors/trace/trace_writer.h"
#include "core/base/invariant.h"

namespace {

using namespace tcpscope;

std::vector<std::byte> readInPieces(std::span<const std::byte> input, std::size_t piece) {
  SsReader reader(PlaceId{0});
  std::vector<std::byte> written;
  TraceWriter writer(written);
  for (; !input.empty(); input = input.subspan(std::min(piece, input.size()))) {
    reader.feed(input.first(std::min(piece, input.size())), Moment::fromNanoseconds(1'000'000'000));
    while (const auto value = reader.next()) {
      std::visit([&writer](const auto& one) { writer.write(one); }, *value);
      const auto* batch = std::get_if<ObservationBatch>(&*value);
      if (batch == nullptr) continue;
      for (const SocketObservation& socket : batch->changed) TCPSCOPE_INVARIANT(socket.id.cookie != 0);
    }
  }
  return written;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // What says so much before it says what it is, is given up with the piece in which that was.
  constexpr std::size_t kLargest = 60'000;
  if (size > kLargest) return 0;
  const std::span<const std::byte> input = std::as_bytes(std::span(bytes, size));
  TCPSCOPE_INVARIANT(readInPieces(input, 7) == readInPieces(input, size + 1));
  return 0;
}
