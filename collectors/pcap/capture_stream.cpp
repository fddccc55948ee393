#include "collectors/pcap/capture_stream.h"

#include "collectors/system/clock_pair.h"

namespace tcpscope {

CaptureStream::CaptureStream(LiveCapture& capture, int descriptor, const LiveCaptureSettings& settings)
    : m_capture(capture), m_writer(descriptor, capture.linkType(), settings.interface, settings.snapLength) {
  m_writer.flush();
}

/// Without figures there is no block of them: a zero would say that nothing was dropped.
void CaptureStream::count() {
  const auto counts = m_capture.counts();
  if (!counts) return;
  m_received = counts->received;
  m_dropped = counts->droppedByRing + counts->droppedByInterface;
}

std::optional<LiveCaptureError> CaptureStream::writeWaiting() {
  while (true) {
    const auto frame = m_capture.next();
    if (!frame) return frame.error();
    if (*frame == nullptr) break;
    m_writer.write((*frame)->time.value_or(WallTime()), (*frame)->bytes, (*frame)->wireBytes);
    ++m_packets;
  }
  const std::optional<Count> before = m_dropped;
  count();
  if (m_dropped != before) m_writer.addCounts(readClocks().pair.wall, m_received, *m_dropped);
  m_writer.flush();
  return std::nullopt;
}

void CaptureStream::finish() {
  count();
  if (m_dropped) m_writer.addCounts(readClocks().pair.wall, m_received, *m_dropped);
  m_writer.flush();
}

}  // namespace tcpscope
