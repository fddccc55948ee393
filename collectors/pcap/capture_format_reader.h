// What the readers of pcap and pcapng have in common.
#pragma once

#include <optional>

#include "collectors/pcap/captured_frame.h"
#include "core/model/capture_fault.h"

namespace tcpscope {

/// Either of the two, or the end. They belong to the reader: valid until its next call, the frame's bytes as well.
struct CaptureItem {
  const CapturedFrame* frame = nullptr;
  const CaptureFault* fault = nullptr;

  explicit operator bool() const { return frame != nullptr || fault != nullptr; }
};

/// What a capture says itself about the packets that it does not have.
struct CaptureDrops {
  /// Between packets, as reported by `lostPackets`.
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
  virtual CaptureItem next() = 0;
  [[nodiscard]] virtual CaptureDrops drops() const { return {}; }
  /// Is what was read so far enough to understand any packet of the file alone?
  [[nodiscard]] virtual bool mayJump() const = 0;
  /// next() gives the packet there, which must be one that it gave before, and then those behind it. False where the
  /// source allows only one order.
  virtual bool jumpTo(PacketPlace place) = 0;

protected:
  [[nodiscard]] CaptureItem frameItem() const { return {&m_frame, nullptr}; }
  CaptureItem faultItem(const CaptureFault& fault) {
    m_fault = fault;
    return {nullptr, &m_fault};
  }

  CapturedFrame m_frame;
  CaptureFault m_fault;
};

}  // namespace tcpscope
