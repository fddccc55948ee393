// A live capture as pcapng in a file or a pipe, which another program may read along: packets as they come, and the
// capture's counts of drops whenever they grow.
#pragma once

#include <optional>

#include "collectors/pcap/capture_writer.h"
#include "collectors/pcap/live_capture.h"

namespace tcpscope {

class CaptureStream {
public:
  /// Writes what a capture begins with. `capture` and `descriptor` stay the caller's, who waits for packets.
  CaptureStream(LiveCapture& capture, int descriptor, const LiveCaptureSettings& settings);

  /// Writes the packets that wait. The error is an interface's that delivers no more.
  std::optional<LiveCaptureError> writeWaiting();
  /// Writes the counts once more, whatever they are.
  void finish();

  [[nodiscard]] std::uint64_t packets() const { return m_packets; }
  /// Packets that could not be written: the disk is full, or the reader is gone.
  [[nodiscard]] Count lost() const { return m_writer.lost(); }
  /// Nothing where the capture does not count.
  [[nodiscard]] std::optional<Count> dropped() const { return m_dropped; }

private:
  void count();

  LiveCapture& m_capture;
  CaptureWriter m_writer;
  std::uint64_t m_packets = 0;
  Count m_received;
  std::optional<Count> m_dropped;
};

}  // namespace tcpscope
