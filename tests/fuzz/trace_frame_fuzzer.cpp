// Any bytes as a stream of frames: the values are the same however the bytes are cut, they can be written and read
// again, and an analysis takes them.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectors/trace/trace_reader.h"
#include "collectors/trace/trace_writer.h"
#include "core/base/invariant.h"
#include "core/session/analysis_session.h"

namespace {

using namespace tcpscope;

/// Frames of these bytes under any kind and with a right checksum: a search would hardly find one.
std::vector<std::byte> framed(std::span<const std::byte> input) {
  std::vector<std::byte> stream;
  while (input.size() >= 3) {
    const auto kind = static_cast<FrameKind>(input[0]);
    const std::size_t wanted = std::to_integer<std::size_t>(input[1]) | std::to_integer<std::size_t>(input[2]) << 8;
    input = input.subspan(3);
    const std::size_t size = std::min(wanted, input.size());
    appendFrame(stream, kind, input.first(size));
    input = input.subspan(size);
  }
  return stream;
}

std::vector<TraceValue> valuesOf(std::span<const std::byte> stream, std::size_t chunk) {
  TraceReader reader(PlaceId{0});
  std::vector<TraceValue> values;
  while (!stream.empty()) {
    const std::size_t size = std::min(chunk, stream.size());
    reader.feed(stream.first(size));
    stream = stream.subspan(size);
    while (auto value = reader.next()) values.push_back(std::move(*value));
  }
  reader.end();
  while (auto value = reader.next()) values.push_back(std::move(*value));
  return values;
}

std::vector<std::byte> written(const std::vector<TraceValue>& values) {
  std::vector<std::byte> bytes;
  TraceWriter writer(bytes);
  for (const TraceValue& value : values) {
    const auto* batch = std::get_if<ObservationBatch>(&value);
    if (const auto number = batch != nullptr ? namespaceNumber(batch->place, PlaceId{0}) : std::nullopt) {
      writer.write(*batch, *number);
    } else {
      std::visit([&writer](const auto& one) { writer.write(one); }, value);
    }
  }
  return bytes;
}

void tryStream(std::span<const std::byte> stream) {
  const std::vector<TraceValue> values = valuesOf(stream, stream.size() + 1);
  const std::vector<std::byte> bytes = written(values);
  TCPSCOPE_INVARIANT(written(valuesOf(stream, 7)) == bytes);
  const std::vector<TraceValue> again = valuesOf(bytes, bytes.size() + 1);
  TCPSCOPE_INVARIANT(written(again) == bytes);
  AnalysisSession session;
  Moment last;
  for (const TraceValue& value : values) {
    const auto* batch = std::get_if<ObservationBatch>(&value);
    if (batch == nullptr) continue;
    session.accept(*batch);
    if (batch->dumpEndedAt) last = std::max(last, *batch->dumpEndedAt);
  }
  const auto snapshot = session.tick(last);
  for (const std::uint32_t slot : *snapshot->order) {
    TCPSCOPE_INVARIANT(session.detail(snapshot->row(slot).id) != nullptr);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(bytes, size));
  tryStream(input);
  tryStream(framed(input));
  return 0;
}
