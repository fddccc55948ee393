#include "app/session/packet_recorder.h"

#include <cerrno>

#include "collectors/system/clock_pair.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// So that a kill loses little.
constexpr Nanoseconds kFlushEvery = std::chrono::milliseconds(500);
/// Of pcapng around each packet.
constexpr std::uint64_t kBlockBytes = 36;

}  // namespace

std::filesystem::path packetsBeside(const std::filesystem::path& recording) {
  std::filesystem::path packets = recording;
  if (packets.extension() == ".tcpscope") packets.replace_extension();
  packets += ".packets.pcapng";
  return packets;
}

void PacketRecorder::fail(int error) {
  m_state.error = SystemError{SystemAttempt::writeRecording, error, UntrustedText(m_file.string())};
}

bool PacketRecorder::begin(const CapturedFrame& frame) {
  auto output = NewFile::create(m_file);
  if (!output) {
    fail(output.error());
    return false;
  }
  m_output.emplace(std::move(*output));
  m_linkType = frame.linkType;
  m_writer.emplace(m_output->descriptor(), frame.linkType, "any", LiveCaptureSettings().snapLength);
  if (const auto taken = m_output->takeName(); !taken) fail(taken.error());
  return !m_state.error;
}

void PacketRecorder::take(const CapturedFrame& frame) {
  const std::lock_guard lock(m_mutex);
  if (m_isOver) return;
  const std::uint64_t bytes = frame.bytes.size() + kBlockBytes;
  const bool isOther = m_writer && frame.linkType != m_linkType;
  if (m_state.error || isOther || m_bytes + bytes > m_budget.value() || (!m_writer && !begin(frame))) {
    ++m_state.leftOut;
    return;
  }
  m_writer->write(frame.time.value_or(WallTime()), frame.bytes, frame.wireBytes);
  m_bytes += bytes;
  ++m_state.packets;
  const Moment now = monotonicNow();
  if (now - m_flushedAt < kFlushEvery) return;
  m_flushedAt = now;
  flush();
}

void PacketRecorder::flush() {
  m_writer->flush();
  if (m_writer->lost() > Count(0) && !m_state.error) fail(ENOSPC);
}

void PacketRecorder::setCounts(std::uint32_t capture, const LiveCaptureCounts& counts) {
  const std::lock_guard lock(m_mutex);
  m_counts.insert_or_assign(capture, counts);
}

void PacketRecorder::finish() {
  const std::lock_guard lock(m_mutex);
  if (std::exchange(m_isOver, true) || !m_writer) return;
  if (!m_counts.empty()) {
    std::uint64_t received = 0;
    std::uint64_t dropped = 0;
    for (const auto& [capture, counts] : m_counts) {
      received += counts.received.value();
      dropped += counts.droppedByRing.value() + counts.droppedByInterface.value();
    }
    m_writer->addCounts(readClocks().pair.wall, Count(received), Count(dropped));
  }
  flush();
}

PacketRecorderState PacketRecorder::state() const {
  const std::lock_guard lock(m_mutex);
  return m_state;
}

}  // namespace tcpscope
