// What the readers of pcap and pcapng have in common.
#pragma once

#include <optional>
#include <variant>

#include "collectors/pcap/captured_frame.h"
#include "core/observation/capture_fault.h"

namespace tcpscope {

/// The frame's bytes are valid until the next one is asked for.
using CaptureItem = std::variant<CapturedFrame, CaptureFault>;

/// What a capture says itself about the packets that it does not have.
struct CaptureDrops {
  /// Between packets, as `lostPackets` told.
  std::uint64_t betweenPackets = 0;
  /// By the statistics of its interfaces; not known where it has none.
  std::optional<std::uint64_t> byStatistics;
};

class CaptureFormatReader {
public:
  CaptureFormatReader() = default;
  CaptureFormatReader(const CaptureFormatReader&) = delete;
  CaptureFormatReader& operator=(const CaptureFormatReader&) = delete;
  virtual ~CaptureFormatReader() = default;

  /// The next frame or fault, in the order of the file. Nothing at the end, and behind a fault that ends it.
  virtual std::optional<CaptureItem> next() = 0;
  [[nodiscard]] virtual CaptureDrops drops() const { return {}; }
};

}  // namespace tcpscope
