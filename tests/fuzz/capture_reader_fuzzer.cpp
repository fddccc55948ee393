// Any bytes as a capture, as they are and as blocks of pcapng with right lengths: what comes out is the same however
// the bytes arrive, and lies inside of them; a frame that is found again by its place is the same.
#include <cstddef>
#include <cstdint>

#include "core/base/invariant.h"
#include "tests/support/capture_text.h"

namespace {

using namespace tcpscope;

/// A section with one Ethernet interface and blocks of these bytes: a search would hardly find right lengths.
std::vector<std::byte> inBlocks(std::span<const std::byte> input) {
  std::vector<std::byte> file;
  const auto append = [&file](std::span<const std::byte> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
  };
  const auto appendNumber = [&append](std::uint32_t number) { append(std::as_bytes(std::span(&number, 1))); };
  for (const std::uint32_t number : {0x0a0d0d0aU, 28U, 0x1a2b3c4dU, 1U, ~0U, ~0U, 28U, 1U, 20U, 1U, 0U, 20U}) {
    appendNumber(number);
  }
  while (input.size() >= 2) {
    const std::uint32_t type = std::to_integer<std::uint32_t>(input[0]) % 8;
    const std::size_t size = std::min<std::size_t>(std::to_integer<std::size_t>(input[1]), input.size() - 2) / 4 * 4;
    const auto length = static_cast<std::uint32_t>(12 + size);
    appendNumber(type == 7 ? 0x0a0d0d0aU : type);
    appendNumber(length);
    append(input.subspan(2, size));
    appendNumber(length);
    input = input.subspan(2 + size);
  }
  return file;
}

std::vector<std::string> everythingOf(std::span<const std::byte> bytes, std::size_t chunk) {
  test::CaptureText text = test::readCapture(bytes, chunk);
  text.lines.push_back(fmt::format("{} {} {} {} {} {}", text.counts.frames, text.counts.refusedFrames,
                                   text.counts.framesWithoutTime, text.counts.backwardSteps, text.drops.betweenPackets,
                                   text.drops.byStatistics.value_or(0)));
  return std::move(text.lines);
}

struct PlacedFrame {
  PacketPlace place;
  std::optional<WallTime> time;
  std::vector<std::byte> bytes;
};

void tryPlaces(std::span<const std::byte> bytes) {
  const auto reader = CaptureReader::open(std::make_unique<test::MemorySource>(bytes));
  if (!reader) return;
  std::vector<PlacedFrame> frames;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    const std::span<const std::byte> seen = item.frame->bytes;
    frames.push_back({item.frame->place(), item.frame->time, {seen.begin(), seen.end()}});
  }
  if (frames.empty()) return;
  // Packed, or of several sections.
  if ((*reader)->frameAt(frames.front().place) == nullptr) return;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    const CapturedFrame* const found = (*reader)->frameAt(frame->place);
    TCPSCOPE_INVARIANT(found != nullptr && found->time == frame->time);
    TCPSCOPE_INVARIANT(std::equal(found->bytes.begin(), found->bytes.end(), frame->bytes.begin(), frame->bytes.end()));
  }
}

void tryCapture(std::span<const std::byte> bytes) {
  const std::vector<std::string> atOnce = everythingOf(bytes, bytes.size() + 1);
  TCPSCOPE_INVARIANT(everythingOf(bytes, 1 + bytes.size() % 7) == atOnce);
  tryPlaces(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(bytes, size));
  tryCapture(input);
  tryCapture(inBlocks(input));
  return 0;
}
