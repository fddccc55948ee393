// Any bytes as the file of a recording: what is read of it is the same each time, memory and time are bounded, and
// wherever one looks for a moment, reading goes on from there to the end.
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "collectors/trace/recording_reader.h"
#include "collectors/trace/trace_writer.h"
#include "core/base/invariant.h"
#include "tests/support/own_folder.h"

namespace {

using namespace tcpscope;

std::vector<std::byte> restOf(RecordingReader& reader) {
  std::vector<std::byte> bytes;
  TraceWriter writer(bytes);
  while (const auto value = reader.next()) std::visit([&writer](const auto& one) { writer.write(one); }, *value);
  return bytes;
}

/// These bytes, each piece as a segment with a right header: a search would hardly find one.
std::vector<std::byte> segmented(std::span<const std::byte> input) {
  std::vector<std::byte> file;
  std::int64_t begin = 0;
  while (input.size() >= 3) {
    const std::size_t wanted = std::to_integer<std::size_t>(input[0]) | std::to_integer<std::size_t>(input[1]) << 8;
    const auto what = std::to_integer<unsigned>(input[2]);
    input = input.subspan(3);
    const std::size_t size = std::min(wanted, input.size());
    std::vector<std::byte> packed(ZSTD_compressBound(size));
    const std::size_t packedSize = ZSTD_compress(packed.data(), packed.size(), input.data(), size, 1);
    TCPSCOPE_INVARIANT(ZSTD_isError(packedSize) == 0);
    // Some of them out of order, and some longer or shorter than they say.
    begin += (what & 1U) != 0 ? -1'000'000'000LL : 1'000'000'000LL;
    const auto reported = static_cast<std::uint32_t>(packedSize + (what >> 6U));
    const auto header = segmentHeaderBytes(
        {Moment::fromNanoseconds(begin), Moment::fromNanoseconds(begin + 900'000'000), (what & 2U) != 0, reported});
    file.insert(file.end(), header.begin(), header.end());
    file.insert(file.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(packedSize));
    input = input.subspan(size);
  }
  return file;
}

void tryFile(std::span<const std::byte> bytes) {
  static const test::OwnFolder folder;
  const std::filesystem::path path = folder.path() / "one.tcpscope";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const auto first = RecordingReader::open(path, PlaceId{0});
  const auto second = RecordingReader::open(path, PlaceId{0});
  TCPSCOPE_INVARIANT(first.has_value() == second.has_value());
  if (!first) return;
  TCPSCOPE_INVARIANT(restOf(**first) == restOf(**second));
  const Moment begin = (*first)->hello().clock.monotonic;
  const Moment end = (*first)->end().value_or(begin);
  for (const Moment moment : {end, begin, Moment(), begin + (end - begin) / 2}) {
    (*first)->seek(moment);
    (*second)->seek(moment);
    TCPSCOPE_INVARIANT(restOf(**first) == restOf(**second));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(bytes, size));
  tryFile(input);
  tryFile(segmented(input));
  return 0;
}
