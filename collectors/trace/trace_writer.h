// Values into frames, appended to a buffer that is the caller's: what an agent writes, a recording holds and an agent
// is asked.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "collectors/trace/trace_frame.h"
#include "collectors/trace/trace_values.h"

namespace tcpscope {

class TraceWriter {
public:
  explicit TraceWriter(std::vector<std::byte>& out) : m_out(out) {}

  void write(const TraceHello& hello);
  void write(const TraceAbout& about);
  /// As many as a frame holds, which are thousands: those of a later frame take the place of these.
  void write(const HostFacts& facts);
  /// In several frames: feeding them to an analysis one after the other gives the same result. The end of a dump is in
  /// the last of them.
  void write(const ObservationBatch& batch);
  /// The same of a further network namespace of the host, by its number; its turn and its settings, too.
  void write(const ObservationBatch& batch, std::uint32_t networkNamespace);
  void write(const ConnectionEvent& event);
  void write(const ChangeMark& mark);
  void write(const IntervalRequest& request);
  void write(const FilterRequest& request);
  void write(const FocusRequest& request);
  void write(const StopRequest& request);

private:
  struct DumpEnd {
    std::uint64_t unchanged = 0;
    std::optional<Moment> at;
  };

  void writeSockets(SampleRate rate, std::span<const SocketObservation> sockets, const DumpEnd& end);
  void writeClosed(std::span<const ClosedSocket> closed);
  void writeOwners(const ObservationBatch& batch);
  void writeRetransmissions(const ObservationBatch& batch);
  void writeEvents(std::span<const SourceEvent> events);
  void writeGaps(std::span<const CollectionGap> gaps);
  void writeTurn(const ObservationBatch& batch, std::uint32_t networkNamespace);
  /// The payload goes out as a frame and is empty again.
  void finish(FrameKind kind);

  std::vector<std::byte>& m_out;
  std::vector<std::byte> m_payload;
  /// What is written is of that one; absent for the place of the hello.
  std::optional<std::uint32_t> m_namespace;
};

}  // namespace tcpscope
