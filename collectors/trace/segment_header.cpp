#include "collectors/trace/segment_header.h"

#include <algorithm>

#include "collectors/trace/crc32c.h"
#include "collectors/trace/wire_bytes.h"

namespace tcpscope {

namespace {

/// zstd skips so many behind its magic and this number.
constexpr std::uint32_t kSkippedBytes = kSegmentHeaderBytes - kSegmentMagic.size() - sizeof(std::uint32_t);
constexpr std::size_t kCheckAt = kSegmentHeaderBytes - sizeof(std::uint32_t);
constexpr std::uint8_t kKey = 1;

}  // namespace

std::array<std::byte, kSegmentHeaderBytes> segmentHeaderBytes(const SegmentHeader& header) {
  std::vector<std::byte> bytes;
  WireWriter writer(bytes);
  writer.bytes(kSegmentMagic);
  writer.number(kSkippedBytes);
  // Room for what a later version may say.
  writer.number<std::uint8_t>(0);
  writer.number<std::uint8_t>(header.isKey ? kKey : 0);
  writer.moment(header.begin);
  writer.moment(header.end);
  writer.number(header.packedBytes);
  writer.number(crc32c(bytes));
  std::array<std::byte, kSegmentHeaderBytes> result{};
  std::copy(bytes.begin(), bytes.end(), result.begin());
  return result;
}

std::optional<SegmentHeader> readSegmentHeader(std::span<const std::byte> bytes) {
  if (bytes.size() < kSegmentHeaderBytes) return std::nullopt;
  if (!std::equal(kSegmentMagic.begin(), kSegmentMagic.end(), bytes.begin())) return std::nullopt;
  WireReader reader(bytes.first(kSegmentHeaderBytes).subspan(kSegmentMagic.size()));
  SegmentHeader header;
  const auto skipped = reader.number<std::uint32_t>();
  reader.number<std::uint8_t>();
  header.isKey = (reader.number<std::uint8_t>() & kKey) != 0;
  header.begin = reader.moment<Moment>();
  header.end = reader.moment<Moment>();
  header.packedBytes = reader.number<std::uint32_t>();
  const auto check = reader.number<std::uint32_t>();
  const bool isWhole = !reader.failed() && skipped == kSkippedBytes && check == crc32c(bytes.first(kCheckAt));
  return isWhole ? std::optional(header) : std::nullopt;
}

}  // namespace tcpscope
