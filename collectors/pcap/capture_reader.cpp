#include "collectors/pcap/capture_reader.h"

#include "collectors/pcap/file_format.h"
#include "collectors/pcap/pcap_reader.h"
#include "collectors/pcap/pcapng_reader.h"

namespace tcpscope {

namespace {

/// A capture is known by 4 bytes, so that one that is still being written is not waited for longer than needed.
FileFormat formatAhead(InputWindow& window) {
  constexpr std::size_t kCaptureMagicBytes = 4;
  const FileFormat format = fileFormatOf(window.ahead(kCaptureMagicBytes));
  if (format == FileFormat::pcap || format == FileFormat::pcapng) return format;
  return fileFormatOf(window.ahead(kFormatBytes));
}

CaptureFault notACapture(const InputWindow& window, FileFormat format) {
  CaptureFault fault;
  if (window.fault()) {
    fault = *window.fault();
    fault.offset = window.endOffset();
    return fault;
  }
  fault.kind = window.endOffset() == 0 ? CaptureFaultKind::empty : CaptureFaultKind::otherFormat;
  fault.format = format;
  return fault;
}

}  // namespace

CaptureReader::CaptureReader(std::unique_ptr<ByteSource> source) : m_source(std::move(source)), m_window(m_source) {}

Expected<std::unique_ptr<CaptureReader>, CaptureFault> CaptureReader::open(std::unique_ptr<ByteSource> source) {
  std::unique_ptr<CaptureReader> reader(new CaptureReader(std::move(source)));
  InputWindow& window = reader->m_window;
  reader->m_format = formatAhead(window);
  const bool isClassic = reader->m_format == FileFormat::pcap;
  if (!isClassic && reader->m_format != FileFormat::pcapng) {
    return Unexpected<CaptureFault>(notACapture(window, reader->m_format));
  }
  auto opened = isClassic ? PcapReader::open(window) : PcapngReader::open(window);
  if (!opened) return Unexpected<CaptureFault>(opened.error());
  reader->m_reader = std::move(*opened);
  return reader;
}

const CapturedFrame* CaptureReader::frameAt(PacketPlace place) {
  if (!m_reader->mayJump() || !m_reader->jumpTo(place)) return nullptr;
  CaptureItem item = m_reader->next();
  // The packet follows the report of those lost before it.
  if (item.fault != nullptr && item.fault->kind == CaptureFaultKind::lostPackets) item = m_reader->next();
  return item.frame != nullptr && item.frame->place() == place ? item.frame : nullptr;
}

CaptureItem CaptureReader::next() {
  const CaptureItem item = m_reader->next();
  if (item.fault != nullptr && item.fault->kind != CaptureFaultKind::lostPackets) {
    m_counts.refusedFrames += item.fault->packets;
  }
  if (item.frame == nullptr) return item;
  ++m_counts.frames;
  const std::optional<WallTime>& time = item.frame->time;
  if (!time) {
    ++m_counts.framesWithoutTime;
    return item;
  }
  if (*time < m_lastTime) ++m_counts.backwardSteps;
  m_lastTime = *time;
  return item;
}

}  // namespace tcpscope
