// Bytes in chunks of any size into values, in the order they were written. The same bytes give the same values however
// they are cut.
//
// Damage is a gap in a batch of its own (`damagedFrame`), and reading goes on behind it; no input makes this fail or
// take more memory than one frame, one chunk and the values of one frame.
#pragma once

#include <optional>
#include <set>

#include "collectors/trace/socket_record.h"
#include "collectors/trace/trace_frame.h"
#include "collectors/trace/trace_values.h"

namespace tcpscope {

class TraceReader {
public:
  /// Everything read belongs to `place`, or to a further network namespace of it (placeOfNamespace()).
  explicit TraceReader(PlaceId place) { m_context.place = place; }

  /// From here on every moment is moved by so much; at most 2^61 ns either way.
  void setClockOffset(Nanoseconds offset) { m_context.clockOffset = offset; }
  void feed(std::span<const std::byte> bytes) { m_frames.feed(bytes); }
  void end() { m_frames.end(); }
  /// Bytes of the stream are missing here.
  void reportMissing() { m_frames.reportMissing(); }
  /// The bytes that come next are of another part of the stream, at whose begin it is said again what was said before.
  void restart();
  /// Nothing where more bytes are needed, or at the end.
  std::optional<TraceValue> next();

  /// Where in the stream bytes were damaged first.
  [[nodiscard]] std::optional<std::uint64_t> damagedAt() const { return m_damagedAt; }

private:
  std::optional<TraceValue> decode(const FrameReader::Frame& frame);
  std::optional<TraceValue> decodeRestated(std::span<const std::byte> payload);
  ObservationBatch readTurn(WireReader& reader);
  std::optional<TraceValue> readInNamespace(WireReader& reader, const FrameReader::Frame& frame);
  TraceHello readHello(WireReader& reader);
  static TraceAbout readAbout(WireReader& reader);
  [[nodiscard]] ObservationBatch emptyBatch() const;
  [[nodiscard]] ObservationBatch readSockets(WireReader& reader) const;
  [[nodiscard]] ObservationBatch readClosed(WireReader& reader) const;
  [[nodiscard]] ObservationBatch readOwners(WireReader& reader) const;
  template <class Option, class Read>
  void readFurtherOptions(WireReader& reader, ObservationBatch& batch, std::size_t bytesEach,
                          std::optional<Option> LiveOptions::*option, Read read) const;
  void readProgramWaits(WireReader& reader, ObservationBatch& batch) const;
  void readProgramLoads(WireReader& reader, ObservationBatch& batch) const;
  [[nodiscard]] ObservationBatch readRetransmissions(WireReader& reader) const;
  [[nodiscard]] ObservationBatch readEvents(WireReader& reader) const;
  [[nodiscard]] ObservationBatch readGaps(WireReader& reader) const;
  [[nodiscard]] ConnectionEvent readEvent(WireReader& reader) const;
  [[nodiscard]] ChangeMark readChange(WireReader& reader) const;
  [[nodiscard]] FocusRequest readFocus(WireReader& reader) const;
  [[nodiscard]] Moment readMoment(WireReader& reader) const;
  [[nodiscard]] ObservationBatch damage() const;

  FrameReader m_frames;
  RecordContext m_context;
  /// As the hello names it.
  Place m_host;
  /// The numbers of those further network namespaces that have appeared.
  std::set<std::uint32_t> m_namespaces;
  std::optional<std::uint64_t> m_damagedAt;
  /// A sequential reader already knows restated frames; at the beginning and after damage they are news.
  bool m_takesRestated = true;
  /// Something was missed: other frames make no end of that.
  bool m_needsRestated = false;
};

}  // namespace tcpscope
