// A capture of 10 GB as the window opens it: the pass for the list, beside reading the file and nothing else, and how
// long the packets of another connection then take.
//
// The file is made here: 1,000 transfers that take turns packet by packet, so that the packets of each lie everywhere
// in it. A file in which connections follow each other is easier.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "app/session/capture_session.h"
#include "core/session/capture/captured_packets.h"
#include "tests/bench/measurement.h"
#include "tests/support/capture_bytes.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

constexpr std::uint16_t kFirstPort = 20'000;
constexpr std::size_t kSegmentBytes = 1'448;

struct LargeCapture {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  std::uint64_t packets = 0;
};

/// A packet as a record of a file.
test::Octets recordOf(const test::SegmentText& segment, std::uint64_t microseconds) {
  using test::operator+;
  const test::Octets frame = test::ethernetFrame(test::ipPacket(segment));
  const auto number = [](std::uint64_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    const auto bytes = std::as_bytes(std::span(&word, 1));
    return test::Octets(bytes.begin(), bytes.end());
  };
  constexpr std::uint64_t kPerSecond = 1'000'000;
  constexpr std::uint64_t kStartSeconds = 1'700'000'000;
  return number(kStartSeconds + microseconds / kPerSecond) + number(microseconds % kPerSecond) + number(frame.size()) +
         number(frame.size()) + frame;
}

LargeCapture makeCapture(const std::filesystem::path& folder, std::uint64_t bytes, std::uint16_t connections) {
  LargeCapture capture{folder / "large.pcap"};
  std::ofstream file(capture.file, std::ios::binary);
  const auto write = [&](const test::Octets& part) {
    file.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
    capture.bytes += part.size();
  };
  write(test::pcapFile({}, {}));
  std::uint64_t microseconds = 0;
  const auto packet = [&](std::uint16_t port, bool isAnswer, std::uint32_t sequence, std::uint32_t acknowledgment,
                          unsigned flags, std::size_t payloadBytes) {
    test::SegmentText segment;
    segment.source.port = port;
    if (isAnswer) std::swap(segment.source, segment.destination);
    segment.sequence = sequence;
    segment.acknowledgment = acknowledgment;
    segment.flags = TcpFlags{static_cast<std::uint8_t>(flags)};
    segment.payloadBytes = payloadBytes;
    write(recordOf(segment, microseconds++));
    ++capture.packets;
  };
  constexpr unsigned kSyn = 0x02;
  constexpr unsigned kAck = 0x10;
  for (std::uint16_t one = 0; one < connections; ++one) {
    const auto port = static_cast<std::uint16_t>(kFirstPort + one);
    packet(port, false, 0, 0, kSyn, 0);
    packet(port, true, 0, 1, kSyn | kAck, 0);
    packet(port, false, 1, 1, kAck, 0);
  }
  for (std::uint32_t sent = 1; capture.bytes < bytes; sent += 2 * kSegmentBytes) {
    for (std::uint16_t one = 0; one < connections; ++one) {
      const auto port = static_cast<std::uint16_t>(kFirstPort + one);
      packet(port, false, sent, 1, kAck, kSegmentBytes);
      packet(port, false, sent + kSegmentBytes, 1, kAck, kSegmentBytes);
      packet(port, true, 1, sent + 2 * kSegmentBytes, kAck, 0);
    }
  }
  return capture;
}

/// Looks as often as a window does.
template <class Condition>
void await(Condition condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Nothing but read(), in pieces as large as the reader's.
double bareMegabytesPerSecond(const LargeCapture& capture) {
  auto source = openFile(capture.file);
  if (!source) giveUp("the capture cannot be read");
  std::vector<std::byte> piece(std::size_t{64} << 10U);
  const double began = wallSeconds();
  while ((*source)->read(piece).value_or(0) > 0) {
  }
  return static_cast<double>(capture.bytes) / 1e6 / (wallSeconds() - began);
}

void measure(const LargeCapture& capture, bool isQuick) {
  constexpr double kPerMegabyte = 1e6;
  constexpr PlaceId kPlace{1};
  const double bare = bareMegabytesPerSecond(capture);
  const double began = wallSeconds();
  const auto session = CaptureSession::open(capture.file, kPlace);
  if (!session) giveUp("the capture cannot be read");
  await([&] { return (*session)->reading().isRead && (*session)->latest(); });
  const double seconds = wallSeconds() - began;
  const double rate = static_cast<double>(capture.bytes) / kPerMegabyte / seconds;
  const std::size_t rows = (*session)->latest()->totalRows;
  fmt::print("  {} packets in {:.1f} s; resident {:.0f} MB\n", capture.packets, seconds,
             static_cast<double>(residentBytes()) / kPerMegabyte);
  publish({fmt::format("capture of {:.1f} GB: pass for the list", static_cast<double>(capture.bytes) / 1e9),
           fmt::format("{:.0f} MB/s", rate), fmt::format("read() alone {:.0f} MB/s", bare), rate, "MB/s",
           isQuick ? std::nullopt : std::optional(500.0), true});

  std::vector<double> times;
  for (const std::size_t share : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}, std::size_t{7}}) {
    const ConnectionId id = captureConnectionId(kPlace, rows * share / 8);
    SessionControl control;
    control.focus = id;
    const double asked = wallSeconds();
    (*session)->setControl(control);
    await([&] { return (*session)->latest()->details.contains(id); });
    times.push_back((wallSeconds() - asked) * 1e3);
    const auto detail = (*session)->latest()->details.at(id);
    if (!detail->packets || detail->packets->series.isEmpty()) giveUp("a connection came without its packets");
  }
  const double slowest = *std::max_element(times.begin(), times.end());
  publish({"packets of a connection in it, the slowest of five", fmt::format("{:.0f} ms", slowest), "", slowest, "ms",
           isQuick ? std::nullopt : std::optional(300.0)});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "captures-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return EXIT_FAILURE;
  measure(makeCapture(folder, quick ? 20'000'000 : 10'000'000'000, quick ? 50 : 1'000), quick);
  std::filesystem::remove_all(folder);
  return 0;
}
