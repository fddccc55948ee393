// Captures and recordings that are small as files and large unpacked: memory stays within its budget, and what the
// budget left out is counted.
//
// The input: "gzip", "zstd" or "recording" on a line, then lines such as "5000 connections" of what it holds.
#include <zlib.h>
#include <zstd.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "app/session/recorded_session.h"
#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"
#include "collectors/trace/trace_writer.h"
#include "core/base/invariant.h"
#include "core/session/capture/capture_analysis.h"
#include "tests/support/capture_bytes.h"
#include "tests/support/capture_text.h"
#include "tests/support/own_folder.h"
#include "tests/support/trace_examples.h"

namespace {

using namespace tcpscope;

/// Of one input in all, so that one takes no longer than others.
constexpr std::size_t kMostThings = 4'000;

struct Part {
  std::size_t count = 0;
  std::string_view what;
};

std::vector<Part> partsIn(std::string_view input) {
  std::vector<Part> parts;
  std::size_t left = kMostThings;
  while (!input.empty() && left > 0) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    Part part;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), part.count);
    if (error != std::errc()) continue;
    part.count = std::min(part.count, left);
    left -= part.count;
    part.what = line.substr(std::min<std::size_t>(line.size(), static_cast<std::size_t>(end - line.data()) + 1));
    parts.push_back(part);
  }
  return parts;
}

std::vector<std::byte> withGzip(std::span<const std::byte> plain) {
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;
  TCPSCOPE_INVARIANT(deflateInit2(&stream, 1, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::vector<std::byte> packed(deflateBound(&stream, plain.size()));
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  TCPSCOPE_INVARIANT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::vector<std::byte> withZstd(std::span<const std::byte> plain) {
  std::vector<std::byte> packed(ZSTD_compressBound(plain.size()));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1);
  TCPSCOPE_INVARIANT(ZSTD_isError(size) == 0);
  packed.resize(size);
  return packed;
}

// Captures

struct MadeCapture {
  std::vector<std::byte> bytes;
  std::size_t segments = 0;
};

MadeCapture captureOf(const std::vector<Part>& parts) {
  std::vector<test::RecordedFrame> frames;
  test::SegmentText segment;
  std::uint32_t connection = 0;
  std::size_t zeros = 0;
  for (const Part& part : parts) {
    if (part.what == "KiB of zeros") zeros += part.count << 10U;
    const bool isConnection = part.what == "connections";
    const std::uint32_t step = part.what == "segments" ? 100 : part.what == "holes" ? 300 : 0;
    if (!isConnection && step == 0 && part.what != "repeats") continue;
    for (std::size_t i = 0; i < part.count; ++i) {
      if (isConnection) {
        ++connection;
        segment.source = {
            IpAddress::v4({10, 0, static_cast<std::uint8_t>(connection >> 8U), static_cast<std::uint8_t>(connection)}),
            40'000};
        segment.sequence = 1000;
      }
      segment.flags = TcpFlags{isConnection ? std::uint8_t{0x02} : std::uint8_t{0x10}};
      segment.payloadBytes = isConnection ? 0 : 100;
      segment.sequence += step;
      frames.push_back({WallTime::fromNanoseconds(static_cast<std::int64_t>(frames.size() + 1) * 1'000'000),
                        test::ethernetFrame(test::ipPacket(segment))});
    }
  }
  MadeCapture made{test::pcapFile(frames), frames.size()};
  made.bytes.resize(made.bytes.size() + std::min<std::size_t>(zeros, 8U << 20U));
  return made;
}

void tryCapture(const MadeCapture& made, std::span<const std::byte> packed) {
  constexpr std::size_t kLimit = 256U << 10U;
  CaptureAnalysis analysis;
  analysis.limitBytes(kLimit);
  auto reader = CaptureReader::open(std::make_unique<test::MemorySource>(packed));
  TCPSCOPE_INVARIANT(reader.has_value());
  std::size_t taken = 0;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    const auto decoded = decodePacket(*item.frame);
    if (!decoded) continue;
    ++taken;
    const bool isBeyond = analysis.isFull();
    const std::uint64_t before = analysis.packetsBeyondMemory();
    analysis.take(*decoded);
    TCPSCOPE_INVARIANT(analysis.packetsBeyondMemory() == before + (isBeyond ? 1 : 0));
  }
  TCPSCOPE_INVARIANT(taken == made.segments);
  // A container grows by as much as it has.
  TCPSCOPE_INVARIANT(analysis.residentBytes() <= 2 * kLimit + (64U << 10U));
}

// Recordings

constexpr std::size_t kThingsOfBatch = 100;

std::vector<std::byte> recordingOf(const std::vector<Part>& parts, std::size_t& sockets) {
  std::vector<std::byte> bytes;
  TraceWriter writer(bytes);
  writer.write(test::exampleHello());
  std::uint64_t cookie = 0;
  std::int64_t samples = 0;
  ObservationBatch batch;
  std::size_t things = 0;
  const auto flush = [&] {
    writer.write(std::exchange(batch, {}));
    things = 0;
  };
  for (const Part& part : parts) {
    for (std::size_t i = 0; i < part.count; ++i) {
      if (++things == kThingsOfBatch) flush();
      if (part.what == "connections") {
        batch.changed.push_back(test::ObservationBuilder().cookie(++cookie).build());
      } else if (part.what == "listeners") {
        batch.changed.push_back(test::ObservationBuilder().cookie(++cookie).state(TcpState::listen).build());
      } else if (part.what == "samples" && cookie > 0) {
        ++samples;
        batch.changed.push_back(test::ObservationBuilder()
                                    .cookie(1 + i % cookie)
                                    .at(Milliseconds(10 * samples))
                                    .acked(static_cast<std::uint64_t>(samples * samples))
                                    .build());
      } else if (part.what == "owners" && cookie > 0) {
        const UntrustedText name(std::string(kMaxWireText, 'x'));
        batch.owners.push_back({{PlaceId{0}, 1 + i % cookie}, {static_cast<std::int32_t>(i + 1), name, name, name}});
      } else if (part.what == "settings") {
        batch.changeMarks.push_back({Moment::fromNanoseconds(static_cast<std::int64_t>(i)), std::nullopt,
                                     UntrustedText("net.ipv4.tcp_rmem"), UntrustedText(std::string(kMaxWireText, '1')),
                                     UntrustedText()});
      }
    }
  }
  flush();
  sockets = cookie;
  return bytes;
}

void tryRecording(const std::vector<Part>& parts) {
  std::size_t sockets = 0;
  const std::vector<std::byte> bytes = withZstd(recordingOf(parts, sockets));
  static const test::OwnFolder folder;
  const std::filesystem::path path = folder.path() / "one.tcpscope";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  SessionBudget budget;
  budget.sockets = 500;
  budget.listeners = 50;
  budget.ownerBytes = 64U << 10U;
  budget.historyBytesPerConnection = 64U << 10U;
  budget.recordBytes = 256U << 10U;
  budget.eventsPerConnection = 100;
  budget.keepsEveryHistory = true;
  const auto session = RecordedSession::open(path, {}, budget);
  TCPSCOPE_INVARIANT(session.has_value());
  while ((*session)->readUntil(Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::max()))) {
  }
  constexpr std::size_t kLeanConnection = 4096;
  const std::size_t most = budget.recordBytes + budget.ownerBytes + 550 * kLeanConnection + (512U << 10U);
  TCPSCOPE_INVARIANT((*session)->session().copyBytes().own < most);
  const auto snapshot = (*session)->atEnd();
  std::size_t leftOut = 0;
  for (const CollectionGap& gap : snapshot->gaps) {
    TCPSCOPE_INVARIANT(gap.kind != GapKind::damagedFrame);
    if (gap.kind == GapKind::socketBudget) leftOut += gap.count;
  }
  // A socket that is left out counts at each of its samples.
  TCPSCOPE_INVARIANT(snapshot->totalRows + snapshot->listeners.size() + leftOut >= sockets);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const std::string_view kind = input.substr(0, input.find('\n'));
  const std::vector<Part> parts = partsIn(input.substr(std::min(kind.size() + 1, input.size())));
  if (kind == "recording") {
    tryRecording(parts);
  } else if (kind == "gzip" || kind == "zstd") {
    const MadeCapture made = captureOf(parts);
    tryCapture(made, kind == "gzip" ? withGzip(made.bytes) : withZstd(made.bytes));
  }
  return 0;
}
