// A capture read from memory, as lines that a failing test can show: every segment with all its fields, or the reason
// why a packet gave none, and every fault.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"
#include "tests/support/packet_bytes.h"

namespace tcpscope::test {

/// Gives at most `chunk` bytes at a time, and fails behind the last one if asked to. As a file, it can be read from
/// anywhere.
class MemorySource final : public ByteSource {
public:
  explicit MemorySource(std::span<const std::byte> bytes, std::size_t chunk = 1U << 20U, int errorAtEnd = 0)
      : m_all(bytes), m_rest(bytes), m_chunk(chunk), m_errorAtEnd(errorAtEnd) {}

  Expected<std::size_t, CaptureFault> read(std::span<std::byte> out) override {
    if (m_rest.empty() && m_errorAtEnd != 0) {
      CaptureFault fault;
      fault.kind = CaptureFaultKind::readFailed;
      fault.errorNumber = m_errorAtEnd;
      return Unexpected<CaptureFault>(fault);
    }
    const std::size_t count = std::min({m_chunk, m_rest.size(), out.size()});
    std::copy_n(m_rest.begin(), count, out.begin());
    m_rest = m_rest.subspan(count);
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return m_all.size(); }
  bool seek(std::uint64_t offset) override {
    m_rest = m_all.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(offset, m_all.size())));
    return true;
  }

private:
  std::span<const std::byte> m_all;
  std::span<const std::byte> m_rest;
  std::size_t m_chunk;
  int m_errorAtEnd;
};

inline std::string textOf(const PacketSample& sample) {
  std::string options;
  for (const std::byte octet : sample.options) options += fmt::format("{:02x}", std::to_integer<unsigned>(octet));
  return fmt::format("{}.{:09} #{} if{} {} > {} seq {} ack {} flags {:02x} win {} len {} ecn {} hops {} options {}{}{}",
                     sample.time.nanoseconds() / 1'000'000'000, sample.time.nanoseconds() % 1'000'000'000,
                     sample.number, sample.interface, sample.source.toString(), sample.destination.toString(),
                     sample.sequence, sample.acknowledgment, sample.flags.bits, sample.window, sample.payloadBytes,
                     static_cast<int>(sample.ecn), sample.hopLimit, options, sample.optionsAreCut ? "…" : "",
                     sample.isFirstFragment ? " first fragment" : "");
}

inline std::string textOf(NoSegment reason) {
  switch (reason) {
    case NoSegment::otherProtocol:
      return "other protocol";
    case NoSegment::tunnel:
      return "tunnel";
    case NoSegment::fragment:
      return "fragment";
    case NoSegment::cut:
      return "cut";
    case NoSegment::malformed:
      return "malformed";
    case NoSegment::unknownLinkType:
      return "unknown link type";
    case NoSegment::withoutTime:
      return "without time";
    case NoSegment::repeated:
      return "repeated";
  }
  return "?";
}

inline std::string textOf(const CaptureFault& fault) {
  static constexpr std::array kKinds = {"open failed",         "read failed", "empty",        "other format",
                                        "unsupported version", "cut",         "lying length", "unknown interface",
                                        "damaged compression", "lost packets"};
  std::string text = fmt::format("{} at {}", kKinds.at(static_cast<std::size_t>(fault.kind)), fault.offset);
  if (fault.packets > 0) text += fmt::format(", {} packets", fault.packets);
  if (fault.errorNumber > 0) text += fmt::format(", errno {}", fault.errorNumber);
  return text;
}

inline std::string textOf(const Expected<PacketSample, NoSegment>& decoded) {
  return decoded ? textOf(*decoded) : textOf(decoded.error());
}

struct CaptureText {
  std::vector<std::string> lines;
  CaptureCounts counts;
  CaptureDrops drops;
  /// Segments among the lines.
  std::size_t segments = 0;
};

/// Everything of a capture; only a line for the fault where it cannot be opened.
inline CaptureText readCapture(std::unique_ptr<ByteSource> source, PacketDecoderSettings settings = {}) {
  CaptureText text;
  auto reader = CaptureReader::open(std::move(source));
  if (!reader) {
    text.lines.push_back(textOf(reader.error()));
    return text;
  }
  while (const CaptureItem item = (*reader)->next()) {
    if (item.fault != nullptr) {
      text.lines.push_back(textOf(*item.fault));
      continue;
    }
    const auto decoded = decodePacket(*item.frame, settings);
    text.segments += decoded ? 1U : 0U;
    text.lines.push_back(textOf(decoded));
  }
  text.counts = (*reader)->counts();
  text.drops = (*reader)->drops();
  return text;
}

inline CaptureText readCapture(std::span<const std::byte> bytes, std::size_t chunk = 1U << 20U) {
  return readCapture(std::make_unique<MemorySource>(bytes, chunk));
}

}  // namespace tcpscope::test
