// Captures in the classic pcap format, by libpcap: both byte orders, micro- and nanoseconds.
//
// libpcap takes the bytes from a window, so that it does not matter where they come from.
#pragma once

#include <memory>

#include "collectors/pcap/capture_format_reader.h"
#include "collectors/pcap/input_window.h"
#include "core/base/expected.h"

namespace tcpscope {

class CaptureFile final : public CaptureFormatReader {
public:
  /// The window must stand on the file's header, and live longer. Fails with `cut`, `unsupportedVersion`, or as the
  /// source does.
  static Expected<std::unique_ptr<CaptureFormatReader>, CaptureFault> open(InputWindow& window);
  ~CaptureFile() override;
  CaptureFile(const CaptureFile&) = delete;
  CaptureFile& operator=(const CaptureFile&) = delete;

  CaptureItem next() override;

private:
  struct Handle;

  CaptureFile(InputWindow& window, std::unique_ptr<Handle> handle);

  InputWindow& m_window;
  std::unique_ptr<Handle> m_handle;
  std::uint64_t m_nextNumber = 0;
  bool m_isOver = false;
};

}  // namespace tcpscope
