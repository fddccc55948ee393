// Frames: how a stream of values is cut into pieces that stand for themselves. The same bytes travel on an agent's
// pipes and lie in a recording.
//
//   magic (4) | version (1) | kind (1) | check of the header (2) | payload bytes (4) | CRC-32C of the payload (4) |
//   payload
//
// A frame whose kind is not known is skipped by its length. Where bytes are damaged, reading goes on at the next whole
// frame; how the stream was cut into chunks changes nothing. Memory is bounded by the longest frame and one chunk.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tcpscope {

/// The numbers are on the wire: they are never given again.
enum class FrameKind : std::uint8_t {
  hello = 1,
  hostFacts = 2,
  sockets = 3,
  owner = 4,
  closed = 5,
  /// Not written yet; readers skip it.
  packets = 6,
  event = 7,
  changeMark = 8,
  gap = 9,
  /// What a recording is about; no agent says it.
  about = 10,
  /// Restated for readers that begin here: the kind's number, then the payload.
  restated = 11,
  retransmissions = 12,
  /// Events of any source (core/model/source_event.h).
  sourceEvents = 13,
  /// A further network namespace of the host appeared, or left.
  namespaceTurn = 14,
  /// Of one of these: its number, the kind's number, then the payload.
  inNamespace = 15,
  // What an agent is asked.
  interval = 65,
  filter = 66,
  focus = 67,
  /// Not served yet.
  capture = 68,
  stop = 69,
};

inline constexpr std::uint8_t kFrameVersion = 1;
inline constexpr std::size_t kFrameHeaderBytes = 16;
inline constexpr std::size_t kMaxPayloadBytes = 256U << 10U;

/// `payload` must not be longer than kMaxPayloadBytes.
void appendFrame(std::vector<std::byte>& out, FrameKind kind, std::span<const std::byte> payload);

/// Of the frame that these bytes begin with, written by this process: nothing is checked.
struct OwnFrame {
  FrameKind kind = FrameKind::hello;
  std::span<const std::byte> payload;
};
OwnFrame ownFrameAt(std::span<const std::byte> bytes);

/// Do these bytes begin as a stream of frames does?
bool beginsWithFrame(std::span<const std::byte> bytes);

class FrameReader {
public:
  struct Frame {
    std::uint8_t version = 0;
    FrameKind kind = FrameKind::hello;
    /// Valid until the next call of this reader.
    std::span<const std::byte> payload;
  };
  /// A run of bytes that are no frames; an endless run is reported in pieces.
  struct Damage {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  struct Step {
    /// Either of the two.
    std::optional<Frame> frame;
    Damage damage;
  };

  /// The bytes are copied.
  void feed(std::span<const std::byte> bytes);
  /// No more bytes come: what is incomplete now is damage.
  void end() { m_ended = true; }
  /// Bytes are missing here: an incomplete frame is damage, reported together with the missing bytes.
  void reportMissing();
  /// The next bytes belong to another part of the stream: drops what is incomplete.
  void restart() { *this = {}; }
  /// Nothing where more bytes are needed.
  std::optional<Step> next();

private:
  struct Header {
    std::uint8_t version = 0;
    FrameKind kind = FrameKind::hello;
    std::size_t payloadBytes = 0;
    std::uint32_t payloadCheck = 0;
  };

  [[nodiscard]] std::span<const std::byte> rest() const { return std::span(m_buffer).subspan(m_at); }
  static std::optional<Header> readHeader(std::span<const std::byte> bytes);
  void skip(std::size_t bytes);
  void skipToNextMagic();
  Step takeDamage();

  std::vector<std::byte> m_buffer;
  std::size_t m_at = 0;
  /// Of m_buffer's first byte in the stream.
  std::uint64_t m_offset = 0;
  Damage m_damage;
  bool m_ended = false;
};

}  // namespace tcpscope
