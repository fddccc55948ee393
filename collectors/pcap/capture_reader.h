// A capture, whatever its format and packing: frames and faults in the order of the file.
//
// Memory is bounded however long the capture is. What comes out does not depend on how the bytes arrive. A capture that
// is cut or damaged gives all that stands before that, then the fault, then its end.
#pragma once

#include <limits>
#include <memory>

#include "collectors/pcap/capture_format_reader.h"
#include "collectors/pcap/input_window.h"
#include "collectors/pcap/unpacking_source.h"
#include "core/base/expected.h"

namespace tcpscope {

struct CaptureCounts {
  std::uint64_t frames = 0;
  /// Left out because of a fault.
  std::uint64_t refusedFrames = 0;
  std::uint64_t framesWithoutTime = 0;
  /// Frames that are earlier than the one before them.
  std::uint64_t backwardSteps = 0;
};

class CaptureReader {
public:
  /// Reads the beginning. Fails as the source does, and with `empty`, `otherFormat` (which one is said), `cut`,
  /// `unsupportedVersion` or `lyingLength` where the header is at fault.
  static Expected<std::unique_ptr<CaptureReader>, CaptureFault> open(std::unique_ptr<ByteSource> source);

  /// What it points to is valid until the next call. Nothing at the end.
  CaptureItem next();

  /// The frame at a place that an earlier frame had. Nothing where the file has another order or is packed, where its
  /// packets mean something else behind another section's header, and where the file does not hold it any more. It is
  /// not counted again.
  const CapturedFrame* frameAt(PacketPlace place);

  /// pcap or pcapng.
  [[nodiscard]] FileFormat format() const { return m_format; }
  [[nodiscard]] const CaptureCounts& counts() const { return m_counts; }
  [[nodiscard]] CaptureDrops drops() const { return m_reader->drops(); }
  /// Bytes taken from the source so far, and how many it has where that is known: for a progress bar.
  [[nodiscard]] std::uint64_t sourceBytesRead() const { return m_source.packedBytesRead(); }
  [[nodiscard]] std::optional<std::uint64_t> sourceSize() const { return m_source.packedSize(); }

private:
  explicit CaptureReader(std::unique_ptr<ByteSource> source);

  UnpackingSource m_source;
  InputWindow m_window;
  FileFormat m_format = FileFormat::unknown;
  std::unique_ptr<CaptureFormatReader> m_reader;
  CaptureCounts m_counts;
  WallTime m_lastTime = WallTime::fromNanoseconds(std::numeric_limits<std::int64_t>::min());
};

}  // namespace tcpscope
